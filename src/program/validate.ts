/**
 * Checks whether a program is well-formed. Front-ends guarantee it, and everything above this folder relies on it
 * without checking again: the machine indexes registers, blocks and bytes unchecked.
 *
 * The machine finds what shows only at run time: wild pointers, division by zero, a thread's return value.
 */
import { type Block, type Func, type Global, isTerminator, type Program, type Root } from './ir.ts';
import { type Location, printLocation } from './location.ts';
import { blockNames } from './print.ts';
import { POINTER, sizeOf } from './types.ts';
import { checkInstruction, checkLayout } from './validate-instruction.ts';
import { checkArguments, checkFunction, checkOperand, type Scope } from './validate-operand.ts';

const POINTER_SIZE = sizeOf(POINTER);

interface Problem {
  /** `function main, block loop, instruction 3 (store)`; instructions count from 0, as in `Block.body`. */
  readonly where: string;
  readonly message: string;
  readonly location?: Location;
}

export class IllFormedProgram extends Error {
  readonly problems: readonly Problem[];

  constructor(program: Program, problems: readonly Problem[]) {
    const shown = problems.slice(0, 10).map((problem) => `\n  ${printProblem(problem)}`);
    const more = problems.length > shown.length ? `\n  … and ${problems.length - shown.length} more` : '';
    super(`program ${program.name} is ill-formed:${shown.join('')}${more}`);
    this.name = 'IllFormedProgram';
    this.problems = problems;
  }
}

/** Throws `IllFormedProgram` unless the program is well-formed. */
export function assertValid(program: Program): void {
  const problems = validate(program);
  if (problems.length > 0) throw new IllFormedProgram(program, problems);
}

/** All problems of the program, in the order of its text; empty if it is well-formed. */
export function validate(program: Program): readonly Problem[] {
  const problems: Problem[] = [];
  const at = (where: string, location: Location | undefined): Scope => ({
    program,
    report: (message) => problems.push({ where, message, ...(location === undefined ? {} : { location }) }),
  });

  const globalNames = new Map<string, number>();
  program.globals.forEach((global, i) => {
    const scope = at(`global ${global.name || i}`, global.location);
    checkName(scope, globalNames, global.name, i);
    checkGlobal(scope, global);
  });

  if (program.roots.length === 0) at(`program ${program.name}`, undefined).report('there is no thread to start with');
  program.roots.forEach((root, i) => {
    checkRoot(at(`thread ${root.name || i}`, undefined), root);
  });

  const functionNames = new Map<string, number>();
  program.functions.forEach((func, i) => {
    const where = `function ${func.name || i}`;
    const scope = at(where, func.location);
    checkName(scope, functionNames, func.name, i);
    checkFrame(scope, func);
    const names = blockNames(func);
    func.blocks.forEach((block, b) => {
      const inBlock = `${where}, block ${names[b]}`;
      checkEnd(at(inBlock, func.location), block);
      block.body.forEach((instruction, k) => {
        const location = instruction.location ?? func.location;
        const inside = at(`${inBlock}, instruction ${k} (${instruction.op})`, location);
        checkInstruction({ ...inside, func }, instruction);
        if (isTerminator(instruction) && k < block.body.length - 1) {
          inside.report('a terminator must be the last instruction of its block');
        }
      });
    });
  });
  return problems;
}

/** Reports refer to globals and functions by name, so names must be unique. */
function checkName(scope: Scope, seen: Map<string, number>, name: string, index: number): void {
  const earlier = seen.get(name);
  if (name === '') scope.report('the name is empty');
  else if (earlier !== undefined) scope.report(`number ${earlier} and number ${index} have the same name`);
  else seen.set(name, index);
}

function checkGlobal(scope: Scope, global: Global): void {
  const { size, init, element } = global;
  checkLayout(scope, global);
  if (init !== undefined && init.length > size) {
    scope.report(`the initial value has ${init.length} bytes, the global ${size}`);
  }
  if (element !== undefined && !(Number.isInteger(element) && element > 0)) {
    scope.report(`element must be a positive integer, but is ${element}`);
  }
  global.relocations?.forEach(({ offset, target }, i) => {
    const role = `relocation ${i}`;
    if (!Number.isInteger(offset) || offset < 0 || offset + POINTER_SIZE > size) {
      scope.report(`${role}: bytes ${offset} to ${offset + POINTER_SIZE - 1} are outside of the global`);
    }
    checkOperand(scope, role, target);
  });
}

function checkRoot(scope: Scope, root: Root): void {
  const func = checkFunction(scope, 'function', root.function);
  checkArguments(scope, func, root.arguments);
}

function checkFrame(scope: Scope, func: Func): void {
  const { parameters, registers, blocks } = func;
  if (!Number.isInteger(parameters) || parameters < 0 || parameters > registers.length) {
    scope.report(`${parameters} parameters do not fit ${registers.length} registers`);
  }
  if (blocks.length === 0) scope.report('there is no block to start at');
}

function checkEnd(scope: Scope, block: Block): void {
  const last = block.body.at(-1);
  if (last === undefined || !isTerminator(last)) scope.report('the last instruction is not a terminator');
}

function printProblem({ where, message, location }: Problem): string {
  return `${where}: ${message}${location === undefined ? '' : ` (${printLocation(location)})`}`;
}
