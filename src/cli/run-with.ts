/** One run of the `fencepost` command, from its arguments to its exit code. */
import { Command, CommanderError } from 'commander';
import { modelNames } from '../models/index.ts';
import { OptionError } from '../options/option.ts';
import { VERSION } from '../platform/version.ts';
import { COMMAND_NAMES, type CommandName } from './shared/command-names.ts';
import { withoutCompilerFlags } from './shared/compiler-words.ts';
import { EXIT_OUR_FAULT, EXIT_USAGE, EXIT_VERIFIED } from './shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from './shared/help.ts';
import { modelHelp } from './shared/model-help.ts';
import { usage } from './shared/program.ts';
import { versionText } from './shared/versions.ts';

export type Finish = (exit: number) => void;

/** The functions that add each command; a command without one is unknown. */
export type Commands = Partial<Readonly<Record<CommandName, (program: Command, finish: Finish) => void>>>;

/**
 * `args` are the arguments after `fencepost` itself. The exit code is also passed to `finish` as soon as it is known.
 */
export async function runWith(commands: Commands, args: readonly string[], finish: Finish = () => {}): Promise<number> {
  let exit = 0;
  const set: Finish = (code) => {
    exit = code;
    finish(code);
  };
  try {
    const answered = await answer(args);
    if (answered !== undefined) {
      set(answered);
      return exit;
    }
    const program = programWith(commands, args[0], set);
    if (args.length > 0) await program.parseAsync(plainArguments(args, program), { from: 'user' });
    else {
      program.outputHelp({ error: true });
      set(EXIT_USAGE);
    }
  } catch (error) {
    // Asking for help or the version is not an error; everything else that commander throws is wrong usage.
    if (error instanceof OptionError) {
      process.stderr.write(`fencepost: ${error.message}\n`);
      set(EXIT_USAGE);
    } else if (error instanceof CommanderError) set(error.exitCode === 0 ? 0 : EXIT_USAGE);
    else set(ourFault(error));
  }
  return exit;
}

/** Reports an internal error. Returns the exit code. */
export function ourFault(error: unknown): number {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`fencepost: internal error, please report it with the input that caused it\n${text}\n`);
  return EXIT_OUR_FAULT;
}

/** Answers what needs no command: the version, and help about memory models. */
async function answer([first, topic, ...rest]: readonly string[]): Promise<number | undefined> {
  if (first === '--version' || first === '-V') {
    process.stdout.write(await versionText());
    return EXIT_VERIFIED;
  }
  const meant = first === undefined ? undefined : commandFor(first);
  if (meant !== undefined) return usage(`${first} is no command; to check it: fencepost ${meant} ${first}`);
  if (first !== 'help' || topic === undefined || topic.startsWith('-') || rest.length > 0) return undefined;
  if (topic === 'help' || COMMAND_NAMES.some((name) => name === topic)) return undefined;
  const text = modelHelp(topic);
  const known = `a command (${COMMAND_NAMES.join(', ')}) or a memory model (${modelNames().join(', ')})`;
  if (text === undefined) return usage(`there is no help about "${topic}"; expected ${known}`);
  process.stdout.write(text);
  return EXIT_VERIFIED;
}

/** The command for a file that is named where a command should be; `undefined` if it does not look like one. */
function commandFor(word: string): CommandName | undefined {
  if (/\.litmus$/i.test(word)) return 'litmus';
  return /\.(c|i|ll|bc|cc|cpp|cxx|c\+\+)$/i.test(word) ? 'check' : undefined;
}

/** Commands that compile also accept a compiler's flags. */
const COMPILING: readonly CommandName[] = ['check', 'robust', 'fix', 'hunt'];

function plainArguments(args: readonly string[], program: Command): string[] {
  const command = program.commands.find((known) => known.name() === args[0]);
  if (command === undefined || !COMPILING.some((name) => name === args[0])) return [...args];
  const { words, note } = withoutCompilerFlags(args.slice(1), command);
  if (note !== '') process.stderr.write(`fencepost: ${note}\n`);
  return [args[0]!, ...words];
}

const HELP: HelpEnd = {
  exit: '0 nothing wrong; 1 violation; 2 wrong usage; 3 invalid or unsupported input; 4 inconclusive; 70 a bug in Fencepost.',
  examples: [
    ['Start with a small program:', 'fencepost init', 'fencepost check fencepost/driver.c'],
    ['Which fences does your own program lack?', 'fencepost fix driver.c'],
    ['What does a memory model allow?', 'fencepost help tso'],
  ],
  manual: ['README.md', 'docs/tutorial.md'],
};

export function programWith(commands: Commands, asked: string | undefined, finish: Finish): Command {
  const program = new Command('fencepost')
    .description(
      'Finds errors in concurrent C and C++ programs, including those that appear only on machines that reorder memory ' +
        'accesses (x86, ARM and others) or with some compilers. Explores every execution of a small program: verified means ' +
        'that none of them fails.',
    )
    .version(VERSION, '-V, --version', 'print the versions of Fencepost, clang and Node')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [topic]', `print help for a command, or for a memory model: ${modelNames().join(', ')}`)
    .showHelpAfterError('(try fencepost --help)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`fencepost: ${text.replace(/^error: /, '')}`) });
  addHelpEnd(program, HELP);
  // Describing all commands takes time; if one is named, only that one is described.
  const known = COMMAND_NAMES.filter((name) => name in commands);
  const named = known.filter((name) => name === asked);
  for (const name of named.length > 0 ? named : known) commands[name]!(program, finish);
  for (const command of program.commands) command.showHelpAfterError(`(try fencepost ${command.name()} --help)`);
  return program;
}
