/**
 * Programs as text: for messages, hashes of programs, and expected output in tests. There is no parser for it.
 *
 * Ill-formed programs print too (anything missing prints as `?`), because those are the ones to look at.
 */
import { unreachable } from '../util/unreachable.ts';
import {
  type AddressOperand,
  type ConstantOperand,
  type Dest,
  type Func,
  type Global,
  type Instruction,
  type Operand,
  type Program,
  type Target,
  typeOf,
} from './ir.ts';
import { type Location, printLocation } from './location.ts';
import type { Order } from './types.ts';

export function printProgram(program: Program): string {
  const globals = program.globals.map((global) => printGlobal(program, global));
  const threads = program.roots.map((root) => {
    const func = nameOf(program.functions[root.function], root.function);
    return `thread ${quoted(root.name)} = ${func}(${root.arguments.map((a) => printTyped(program, a)).join(', ')})`;
  });
  const head = [`program ${quoted(program.name)}`, ...globals, ...threads].join('\n');
  return `${[head, ...program.functions.map((func) => printFunction(program, func))].join('\n')}\n`;
}

export function printFunction(program: Program, func: Func): string {
  const names = namesIn(func);
  const registers = func.registers.map(({ type }, i) => `%${names.registers[i]} : ${type}`);
  const result = func.result === undefined ? '' : ` : ${func.result}`;
  const parameters = registers.slice(0, func.parameters).join(', ');
  const lines = [
    withLocation(`func ${quoted(func.name)}(${parameters})${result} {`, func.location),
    ...registers.slice(func.parameters).map((register) => `  ${register}`),
  ];
  func.blocks.forEach((block, i) => {
    lines.push(`${names.blocks[i]}:`);
    for (const instruction of block.body) {
      lines.push(withLocation(`  ${instructionText(program, func, names, instruction)}`, instruction.location));
    }
  });
  return [...lines, '}'].join('\n');
}

/** The names of a function's blocks as printed, all different. */
export function blockNames(func: Func): readonly string[] {
  return uniqueNames(func.blocks);
}

function instructionText(program: Program, func: Func, names: Names, instruction: Instruction): string {
  const type = (operand: Operand) => typeOf(func, operand) ?? '?';
  const destType = (dest: Dest) => func.registers[dest]?.type ?? '?';
  const register = (index: number) => `%${names.registers[index] ?? `?${index}`}`;
  const assign = (dest: Dest | undefined) => (dest === undefined ? '' : `${register(dest)} = `);
  const block = (target: Target) => names.blocks[target] ?? `?${target}`;
  const value = (operand: Operand) =>
    operand.kind === 'register' ? register(operand.index) : printValue(program, operand);
  const at = (address: Operand) => `[${value(address)}]`;
  const typed = (operand: Operand) =>
    operand.kind === 'register' ? register(operand.index) : printTyped(program, operand);
  const called = (callee: Operand, args: readonly Operand[]) => `${value(callee)}(${args.map(typed).join(', ')})`;

  const i = instruction;
  switch (i.op) {
    case 'move':
      return `${assign(i.dest)}move.${destType(i.dest)} ${value(i.value)}`;
    case 'binary':
      return `${assign(i.dest)}${i.operator}.${destType(i.dest)} ${value(i.left)}, ${value(i.right)}`;
    case 'unary':
      return `${assign(i.dest)}${i.operator}.${destType(i.dest)} ${value(i.value)}`;
    case 'compare':
      return `${assign(i.dest)}${i.predicate}.${type(i.left)} ${value(i.left)}, ${value(i.right)}`;
    case 'cast':
      return `${assign(i.dest)}${i.operator}.${type(i.value)}.${destType(i.dest)} ${value(i.value)}`;
    case 'select':
      return `${assign(i.dest)}select.${destType(i.dest)} ${value(i.condition)}, ${value(i.ifTrue)}, ${value(i.ifFalse)}`;
    case 'undefine':
      return `${assign(i.dest)}undefine.${destType(i.dest)}`;
    case 'alloca':
      return `${assign(i.dest)}${i.isIdle === true ? 'idle ' : ''}alloca ${i.size} align ${i.align}${contents(i)}`;
    case 'allocate':
      return `${assign(i.dest)}allocate.${i.what} ${value(i.size)}${i.align === undefined ? '' : ` align ${value(i.align)}`}${contents(i)}`;
    case 'refresh':
      return `refresh ${at(i.address)}`;
    case 'suspend':
      return `${i.isBack ? 'resume' : 'suspend'} ${at(i.address)}`;
    case 'progress':
      return `${assign(i.dest)}progress`;
    case 'extent':
    case 'isconstant':
    case 'isstatic':
    case 'olderlocal':
      return `${assign(i.dest)}${i.op} ${at(i.address)}`;
    case 'peek':
    case 'glance':
      return `${assign(i.dest)}${i.op}.${destType(i.dest)} ${at(i.address)}`;
    case 'poke':
      return `${i.isIdle === true ? 'idle ' : ''}poke.${type(i.value)} ${at(i.address)}, ${value(i.value)}`;
    case 'threadlocal':
      return `${assign(i.dest)}threadlocal ${nameOf(program.globals[i.global], i.global)}`;
    case 'self':
      return `${assign(i.dest)}self${i.what === undefined ? '' : `.${i.what}`}`;
    case 'print':
      return `${assign(i.dest)}print ${at(i.bytes)}, ${value(i.most)}, ${value(i.stop)}`;
    case 'endprint':
      return `endprint ${value(i.count)}`;
    case 'convert': {
      const how = [i.kind, i.flags, i.width, i.precision].map(value).join(', ');
      return `${assign(i.dest)}convert ${at(i.to)}, ${value(i.room)}, ${value(i.from)}, ${how}, ${value(i.value)}`;
    }
    case 'mark':
      return `mark ${at(i.name)}, ${value(i.value)}`;
    case 'endmark':
      return `endmark ${value(i.value)}`;
    case 'call':
      return `${assign(i.dest)}call ${called(i.callee, i.arguments)}`;
    case 'assert':
      return `${i.refuses === true ? 'refuse unless' : i.notModelled === true ? 'model' : i.misuse === true ? 'require' : 'assert'} ${value(i.condition)}, ${JSON.stringify(i.message)}`;
    case 'detach':
      return `detach ${value(i.thread)}`;
    case 'assume':
      return `assume ${value(i.condition)}`;
    case 'load':
      return `${assign(i.dest)}load.${destType(i.dest)}${suffix(i.order)} ${at(i.address)}`;
    case 'store':
      return `store.${type(i.value)}${suffix(i.order)} ${at(i.address)}, ${value(i.value)}`;
    case 'rmw':
      return `${assign(i.dest)}rmw.${i.operator}${i.isStore === true ? '.store' : ''}.${destType(i.dest)}${suffix(i.order)} ${at(i.address)}, ${value(i.value)}`;
    case 'cmpxchg': {
      const dests = i.success === undefined ? register(i.dest) : `${register(i.dest)}, ${register(i.success)}`;
      const orders = `${suffix(i.order)}${suffix(i.failureOrder)}`;
      return `${dests} = cmpxchg.${destType(i.dest)}${orders} ${at(i.address)}, ${value(i.expected)}, ${value(i.desired)}`;
    }
    case 'await': {
      const name = `await${i.blocks ? '' : '.try'}.${i.operator}${suffix(i.order)}`;
      const condition = `${i.predicate} ${value(i.bound)}`;
      return `${register(i.dest)}, ${register(i.success)} = ${name} ${at(i.address)} ${condition}, ${value(i.value)}`;
    }
    case 'fence':
      return `fence${suffix(i.order)}${i.partial === true ? '.partial' : ''}${i.ofMachine === true ? '.machine' : ''}`;
    case 'free':
      return `free.${i.what} ${at(i.address)}`;
    case 'choose':
      return `${assign(i.dest)}choose.${destType(i.dest)} ${i.count}`;
    case 'spawn':
      return `${assign(i.dest)}spawn ${called(i.callee, i.arguments)}`;
    case 'join':
      return `${assign(i.dest)}join ${value(i.thread)}`;
    case 'lock':
    case 'unlock':
      return `${i.op} ${at(i.mutex)}`;
    case 'trylock':
      return `${assign(i.dest)}trylock ${at(i.mutex)}`;
    case 'wait':
      return `${assign(i.timedOut)}wait ${at(i.condition)}, ${at(i.mutex)}`;
    case 'destroy':
      return `destroy ${at(i.object)}`;
    case 'drain':
      return `${assign(i.dest)}drain${i.isFirst ? '.first' : ''} ${at(i.record)}`;
    case 'init':
      return `init ${at(i.object)}, ${value(i.isNew)}`;
    case 'lifetime':
      return `lifetime.${i.what} ${at(i.address)}, ${value(i.size)}`;
    case 'signal':
    case 'broadcast':
      return `${i.op} ${at(i.condition)}`;
    case 'beginatomic':
    case 'endatomic':
      return i.op;
    case 'exit':
      return `exit ${value(i.status)}`;
    case 'jump':
      return `jump ${block(i.target)}`;
    case 'branch':
      return `branch ${value(i.condition)}, ${block(i.ifTrue)}, ${block(i.ifFalse)}`;
    case 'switch': {
      const cases = i.cases.map((c) => `${printNumber(c.value)}: ${block(c.target)}, `).join('');
      return `switch.${type(i.value)} ${value(i.value)}, ${cases}default: ${block(i.default)}`;
    }
    case 'return':
      return i.value === undefined ? 'return' : `return.${type(i.value)} ${value(i.value)}`;
    case 'exitthread':
      return i.value === undefined ? 'exitthread' : `exitthread.${type(i.value)} ${value(i.value)}`;
    case 'unreachable':
      return 'unreachable';
    default:
      return unreachable(i);
  }
}

function printGlobal(program: Program, global: Global): string {
  const align = global.align === (global.element ?? global.size) ? '' : ` align ${global.align}`;
  const init = global.init === undefined ? '' : ` = ${printBytes(global.init)}`;
  const relocations = (global.relocations ?? []).map((r) => `, at ${r.offset}: ${printAddress(program, r.target)}`);
  const text = `global ${quoted(global.name)} : ${global.size} bytes${align}${init}${relocations.join('')}`;
  return withLocation(text, global.location);
}

/** Zeros at the end of a long initialiser are replaced by `…`. */
function printBytes(bytes: Uint8Array): string {
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const shown = bytes.length <= 16 ? bytes : bytes.subarray(0, Math.max(used, 1));
  const text = [...shown].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return shown.length < bytes.length ? `${text} …` : text;
}

/** An operand outside of functions, or one that is not a register. */
function printValue(program: Program, operand: Operand): string {
  switch (operand.kind) {
    case 'register':
      return `%?${operand.index}`;
    case 'constant':
      return printNumber(operand.value);
    case 'global':
    case 'function':
      return printAddress(program, operand);
  }
}

/** Constants with their type, where the instruction does not imply it. */
function printTyped(program: Program, operand: Operand): string {
  return operand.kind === 'constant' ? `${operand.type} ${printNumber(operand.value)}` : printValue(program, operand);
}

function printAddress(program: Program, address: AddressOperand): string {
  if (address.isWide === true) {
    const { isWide: _, ...narrow } = address;
    return `i64 ${printAddress(program, narrow)}`;
  }
  if (address.kind === 'function') return `@${nameOf(program.functions[address.index], address.index)}`;
  const global = program.globals[address.index];
  const name = nameOf(global, address.index);
  const plus = (bytes: number) => (bytes === 0 ? '' : bytes < 0 ? String(bytes) : `+${bytes}`);
  const { offset } = address;
  if (!global?.element || offset < 0) return `${name}${plus(offset)}`;
  return `${name}[${Math.floor(offset / global.element)}]${plus(offset % global.element)}`;
}

function printNumber(value: ConstantOperand['value']): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function suffix(order: Order): string {
  return order === 'plain' ? '' : `.${order}`;
}

function withLocation(text: string, location: Location | undefined): string {
  return location === undefined ? text : `${text.padEnd(29)} ; ${printLocation(location)}`;
}

interface Names {
  readonly registers: readonly string[];
  readonly blocks: readonly string[];
}

function namesIn(func: Func): Names {
  return { registers: uniqueNames(func.registers), blocks: uniqueNames(func.blocks) };
}

function uniqueNames(things: readonly { readonly name: string }[]): readonly string[] {
  const uses = new Map<string, number>();
  for (const { name } of things) uses.set(name, (uses.get(name) ?? 0) + 1);
  const taken = new Set(uses.keys());
  return things.map(({ name }, index) => {
    if (name !== '' && uses.get(name) === 1) return quoted(name);
    // `r.1` may itself be the name of a third register, so one suffix need not be enough.
    let unique = name === '' ? String(index) : `${name}.${index}`;
    while (taken.has(unique)) unique += `.${index}`;
    taken.add(unique);
    return quoted(unique);
  });
}

function nameOf(thing: { readonly name: string } | undefined, index: number): string {
  return thing === undefined ? `?${index}` : quoted(thing.name);
}

/** Names come from users' sources; one that would break the line or read as two words is put in quotes. */
function quoted(name: string): string {
  return /^[^\s"]+$/.test(name) ? name : JSON.stringify(name);
}

/** The initial contents of fresh memory. */
function contents({ isJunk, isUndefined }: { readonly isJunk?: boolean; readonly isUndefined?: boolean }): string {
  return isJunk === true ? ' junk' : isUndefined === true ? ' undefined' : '';
}
