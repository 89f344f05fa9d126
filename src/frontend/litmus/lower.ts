/** Turns a parsed test into a program: decodes the code, lays out the memory, lowers each thread, resolves names. */
import { ProgramBuilder } from '../../program/builder.ts';
import type { Program } from '../../program/ir.ts';
import type { RegisterName, TestSyntax, ValueSyntax } from './ast.ts';
import { CThread } from './c-thread.ts';
import type { Condition, Proposition } from './condition.ts';
import { type Decoded, decode } from './decode.ts';
import { integer } from './frame.ts';
import { checkFits, Layout } from './layout.ts';
import { gatherLocations } from './locations.ts';
import { noThread, type ObservedThread, observe } from './observe.ts';
import { labelOf, type Observed } from './observed.ts';
import { wordType } from './registers.ts';
import { Resolver } from './resolve.ts';
import type { Source } from './source.ts';
import { ThreadLowering } from './thread.ts';

interface LoweredTest {
  readonly program: Program;
  readonly observed: readonly Observed[];
  readonly condition: Condition | undefined;
  readonly filter: Proposition | undefined;
}

export function lowerTest(source: Source, test: TestSyntax): LoweredTest {
  return test.arch === 'C' ? lowerCTest(source, test) : lowerX86(source, test);
}

/** Every location has the size of an `int`. */
function lowerCTest(source: Source, test: TestSyntax): LoweredTest {
  for (const { target } of test.init) if (target.kind === 'register') throw source.error(target, 'a location');
  const declared = new Set(test.init.map(({ target }) => labelOf(target)));
  const parameters = test.cThreads.flatMap((thread) => thread.parameters).filter(({ name }) => !declared.has(name));
  const mentioned = parameters.map((target) => ({ target, type: undefined, count: undefined, values: undefined }));
  const program = new ProgramBuilder(test.name);
  const whole = { ...test, init: [...test.init, ...mentioned] };
  const layout = new Layout(source, test.arch, gatherLocations(source, whole, []), program);
  for (const { target } of whole.init) {
    const isInt = target.kind === 'location' && layout.variable(target.name).size === 4;
    if (!isInt) throw source.error(target, 'a location of type int or atomic_int; others are unsupported in C tests');
  }
  const threads = test.cThreads.map((thread) => {
    const func = program.function(thread.text, [], { location: source.locate(thread.at, thread.text) });
    const lowering = new CThread(source, layout, func, thread);
    lowering.lower();
    program.root(thread.text, func);
    return lowering;
  });
  return finish(source, test, program, layout, threads);
}

function lowerX86(source: Source, test: TestSyntax): LoweredTest {
  const { arch } = test;
  const code = test.threads.map(({ cells }): readonly Decoded[] =>
    cells.flatMap(({ instruction }) => (instruction === undefined ? [] : [decode(source, arch, instruction)])),
  );
  const program = new ProgramBuilder(test.name);
  const layout = new Layout(source, arch, gatherLocations(source, test, code), program);
  const initial = initialRegisters(source, test);
  const threads = test.threads.map((thread, i) => {
    const func = program.function(thread.text, [], { location: source.locate(thread.at, thread.text) });
    func.location = source.locate(thread.at, thread.text);
    const lowering = new ThreadLowering(source, arch, layout, func, thread, code[i]!);
    for (const { target, value } of initial[i]!) setRegister(source, test, layout, lowering, target, value);
    lowering.lower();
    program.root(thread.text, func);
    return lowering;
  });
  return finish(source, test, program, layout, threads);
}

function finish(
  source: Source,
  test: TestSyntax,
  program: ProgramBuilder,
  layout: Layout,
  threads: readonly ObservedThread[],
): LoweredTest {
  const observed = observe(source, test, layout, threads);
  const resolver = new Resolver(observed, layout);
  const { condition, filter } = test;
  return {
    // Built after `observe`, which may add registers.
    program: program.build(),
    observed,
    condition: condition && {
      quantifier: condition.quantifier,
      proposition: resolver.resolve(condition.proposition),
      text: condition.text,
      location: source.locate(condition.at, condition.text),
    },
    filter: filter && resolver.resolve(filter),
  };
}

interface InitialRegister {
  readonly target: RegisterName;
  readonly value: ValueSyntax;
}

/** The initial values of registers, by thread. */
function initialRegisters(source: Source, test: TestSyntax): readonly (readonly InitialRegister[])[] {
  const byThread = test.threads.map((): InitialRegister[] => []);
  const seen = new Set<string>();
  for (const { target, values } of test.init) {
    if (target.kind === 'location') continue;
    const thread = byThread[target.thread];
    if (thread === undefined) throw source.error(target, noThread(test.threads.length));
    if (values === undefined) continue;
    const key = `${target.thread}:${target.part.family}`;
    if (seen.has(key)) throw source.error(target, 'only one initial value for a register and its parts');
    seen.add(key);
    thread.push({ target, value: values[0]! });
  }
  return byThread;
}

/** Emits code that gives a register its initial value; its other bits are zero. */
function setRegister(
  source: Source,
  test: TestSyntax,
  layout: Layout,
  { frame }: ThreadLowering,
  { part, ...target }: RegisterName,
  value: ValueSyntax,
): void {
  const word = wordType(test.arch);
  frame.func.location = source.locate(target.at, source.quote(target.at, value.at + value.text.length));
  frame.freeTemporaries();
  const whole = frame.whole(part.family);
  if (value.kind === 'number') {
    const bits = BigInt.asUintN(part.bits, checkFits(source, value, part.bits / 8));
    return frame.func.move(whole, integer(word, bits << BigInt(part.shift)));
  }
  if (part.bits < 32) throw source.error(value, 'a number; an address does not fit this register');
  frame.func.move(whole, frame.extend('zext', layout.address(value), 'i32', word));
}
