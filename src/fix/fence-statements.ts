/**
 * Finds statements that consist of a fence only, such as `STORE_LOAD();` if that is one. By default, of a fence that
 * orders stores.
 */
import type { Func, Instruction, Program } from '../program/ir.ts';
import { type ChangeKind, forEachInstruction, type Position } from './candidates.ts';
import { findOrders, orderOf } from './orders.ts';
import type { SourceFile } from './source-file.ts';
import type { CallStatement } from './statements.ts';

export interface FenceStatement<K = ChangeKind> {
  readonly file: SourceFile;
  readonly call: CallStatement;
  readonly kind: K;
  /** Its instructions: fences, or calls of functions that consist of a fence only. */
  readonly positions: readonly Position[];
}

/** Instructions that may accompany a fence. */
const IDLE: ReadonlySet<string> = new Set(['move', 'cast', 'jump']);

/** What kind of fence an instruction is, if it is one. */
type KindOf<K> = (instruction: Instruction) => K | undefined;

export function findFenceStatements(program: Program, files: readonly SourceFile[]): readonly FenceStatement[];
export function findFenceStatements<K>(
  program: Program,
  files: readonly SourceFile[],
  kindOfOne: KindOf<K>,
): readonly FenceStatement<K>[];
export function findFenceStatements(
  program: Program,
  files: readonly SourceFile[],
  kindOfOne: KindOf<unknown> = kindOfFence,
): readonly FenceStatement<unknown>[] {
  const functions = fenceFunctions(program, kindOfOne);
  const kindOf = (instruction: Instruction): unknown => {
    if (instruction.op !== 'call' || instruction.arguments.length > 0) return kindOfOne(instruction);
    return instruction.callee.kind === 'function' ? functions.get(instruction.callee.index) : undefined;
  };
  const found = new Map<string, { kinds: Set<unknown>; positions: Position[] }>();
  forEachInstruction(program, (instruction, position) => {
    const { location } = instruction;
    if (location === undefined || IDLE.has(instruction.op) || functions.has(position.func)) return;
    const key = `${location.file}:${location.line}:${location.column}`;
    const there = found.get(key) ?? { kinds: new Set(), positions: [] };
    found.set(key, there);
    there.kinds.add(kindOf(instruction));
    there.positions.push(position);
  });
  return files.flatMap((file) =>
    file.statements.calls.flatMap((call): readonly FenceStatement<unknown>[] => {
      const { line, column } = file.locate(call.start);
      const there = [...file.names].flatMap((name) => found.get(`${name}:${line}:${column}`) ?? []);
      const kinds = new Set(there.flatMap((one) => [...one.kinds]));
      const [kind] = kinds;
      if (kind === undefined || kinds.size > 1 || hasOutputs(file, call)) return [];
      return [{ file, call, kind, positions: there.flatMap(({ positions }) => positions) }];
    }),
  );
}

/** Whether the statement is assembly with outputs. */
function hasOutputs({ statements: { tokens } }: SourceFile, { name, start, end }: CallStatement): boolean {
  if (!/^(?:__)?asm(?:__)?$/.test(name)) return false;
  const own = tokens.filter((token) => token.start >= start && token.end <= end).map(({ text }) => text);
  const first = own.findIndex((text) => text.startsWith(':'));
  return first >= 0 && own[first] === ':' && !/^[:)]/.test(own[first + 1]!);
}

/** Statements that are not compiled and, judging by their names, would otherwise be a fence or a seq_cst store. */
export function findUncompiledFences(
  program: Program,
  files: readonly SourceFile[],
): readonly { readonly file: SourceFile; readonly start: number; readonly kind: ChangeKind }[] {
  const compiled = new Set<string>();
  forEachInstruction(program, ({ location }) => {
    if (location !== undefined) compiled.add(`${location.file}:${location.line}:${location.column}`);
  });
  const kinds = new Map(findFenceStatements(program, files).map(({ call, kind }) => [call.name, kind]));
  return files.flatMap((file) => {
    const orders = new Map(findOrders(file.statements.tokens).map((written) => [written.call, written]));
    return file.statements.calls.flatMap((call) => {
      const { start, name } = call;
      const { line, column } = file.locate(start);
      if ([...file.names].some((one) => compiled.has(`${one}:${line}:${column}`)) || isWholeFunction(file, call))
        return [];
      const store = orders.get(start);
      const isStore = store?.order === 'seq_cst' && store.ops.includes('store');
      const kind = isStore ? 'seq_cst' : (kindByName(file, call) ?? (isBuiltin(name) ? undefined : kinds.get(name)));
      return kind === undefined ? [] : [{ file, start, kind }];
    });
  });
}

/** Whether the call is the whole body of a function, which is then only another name for the callee. */
function isWholeFunction({ statements: { tokens } }: SourceFile, { start, end }: CallStatement): boolean {
  const first = tokens.findIndex((token) => token.start === start);
  const isAlone = tokens[first - 1]?.text === '{' && tokens.find((token) => token.start >= end)?.text === '}';
  let open = first - 2;
  for (let depth = 0; isAlone && open >= 0; open--) {
    if (tokens[open]!.text === ')') depth++;
    if (tokens[open]!.text === '(') depth--;
    if (depth === 0) break;
  }
  return isAlone && !/^(?:if|for|while|switch)$/.test(tokens[open - 1]?.text ?? 'if');
}

function isBuiltin(name: string): boolean {
  return /^(?:__)?atomic_thread_fence$|asm/.test(name);
}

function kindByName(
  { statements: { tokens } }: SourceFile,
  { name, start, end }: CallStatement,
): ChangeKind | undefined {
  const own = tokens.filter((token) => token.start >= start && token.end <= end).map(({ text }) => text);
  if (name === '__sync_synchronize') return 'full-fence';
  if (/^(?:__)?atomic_thread_fence$/.test(name)) {
    const order = own.map(orderOf).find((one) => one !== undefined);
    if (order === 'seq_cst') return 'full-fence';
    return order === 'release' || order === 'acq_rel' ? 'store-fence' : undefined;
  }
  if (!/^(?:__)?asm(?:__)?$/.test(name)) return undefined;
  const code = own.find((text) => text.startsWith('"')) ?? '';
  if (/\bmfence\b|\block\b.*\(%+[er]sp\)/.test(code)) return 'full-fence';
  return /\bsfence\b/.test(code) ? 'store-fence' : undefined;
}

export function kindOfFence(instruction: Instruction): ChangeKind | undefined {
  if (instruction.op !== 'fence' || instruction.order === 'acquire') return undefined;
  return instruction.order === 'seq_cst' ? 'full-fence' : 'store-fence';
}

/** The user's functions that consist of a fence only, by number. */
export function fenceFunctions(program: Program): ReadonlyMap<number, ChangeKind>;
export function fenceFunctions<K>(program: Program, kindOf: KindOf<K>): ReadonlyMap<number, K>;
export function fenceFunctions(
  { functions, roots }: Program,
  kindOf: KindOf<unknown> = kindOfFence,
): ReadonlyMap<number, unknown> {
  const found = new Map<number, unknown>();
  for (const [number, func] of functions.entries()) {
    const kind = func.isLibrary === true ? undefined : kindOfFunction(func, kindOf);
    if (kind !== undefined && !roots.some((root) => root.function === number)) found.set(number, kind);
  }
  return found;
}

function kindOfFunction({ blocks }: Func, kindOf: KindOf<unknown>): unknown {
  const kinds = new Set<unknown>();
  for (const { body } of blocks) {
    for (const instruction of body) {
      const isEnd = instruction.op === 'return' && instruction.value === undefined;
      if (!isEnd && !IDLE.has(instruction.op)) kinds.add(kindOf(instruction));
    }
  }
  const [kind] = kinds;
  return kinds.size === 1 ? kind : undefined;
}
