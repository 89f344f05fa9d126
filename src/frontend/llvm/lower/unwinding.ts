/**
 * C++ exceptions, as ordinary jumps and returns. A thrown exception is *pending*, in a variable of its thread
 * (`lib/cxx-catch.c`). After each call that it may leave (`may-throw.ts`), this pass adds a check for a pending
 * exception. If there is one, the function returns at once or, after an `invoke`, continues at its landing pad, which
 * takes the exception and determines which of its clauses catches it.
 *
 * Before an `invoke` that catches, the types that it catches are put on a list of the thread. So a `throw` knows
 * whether its exception will be caught: if not, that is an error at the place of the `throw`, before any function is
 * left.
 *
 * In a program that cannot throw, an `invoke` is a call, and landing pads are unreachable.
 */

import { targetsOf } from '../ir/block-targets.ts';
import { isSystemHeader } from '../ir/debug-info.ts';
import type {
  LBlock,
  LFunction,
  LGlobal,
  LInstruction,
  LOperation,
  LType,
  LValue,
  Module,
  Place,
} from '../ir/module.ts';
import { catchesAll, type LandingPad, padOf, type Unwinding } from './may-throw.ts';
import { ANY, IS_RUNTIME, runtime } from './unwinding-runtime.ts';

const POINTER: LType = { kind: 'ptr' };
const INT: LType = { kind: 'int', bits: 32 };
const VOID: LType = { kind: 'void' };
const ZERO: LValue = { kind: 'int', value: 0n };

const THROW = '__cxa_throw';
/** Clang's own function, defined in each file: an exception is about to leave a function that is noexcept. */
const TERMINATE = '__clang_call_terminate';
const TYPE_ID = 'llvm.eh.typeid.for';

/** The name of a type in messages, from the name of its type description. */
type NameOfType = (symbol: string) => string;

/**
 * `unwinding`: absent if nothing in the program throws. `runsAtExit`: the program may leave functions by
 * `pthread_exit`.
 */
export function withoutUnwinding(
  module: Module,
  isLibrary: boolean,
  unwinding: Unwinding | undefined,
  nameOfType: NameOfType,
  runsAtExit = false,
): Module {
  const globals: LGlobal[] = [];
  const functions = new Map(
    Array.from(module.functions, ([name, func]) => [
      name,
      !func.isDefinition || (isLibrary && IS_RUNTIME.has(name))
        ? func
        : new FunctionUnwinding(module, func, isLibrary, unwinding, nameOfType, runsAtExit, globals).run(),
    ]),
  );
  if (globals.length === 0) return { ...module, functions };
  return {
    ...module,
    functions,
    globals: new Map([...module.globals, ...globals.map((global) => [global.name, global] as const)]),
  };
}

type Call = LInstruction & { op: 'call' | 'invoke' };

class FunctionUnwinding {
  private readonly module: Module;
  private readonly func: LFunction;
  private readonly isLibrary: boolean;
  private readonly unwinding: Unwinding | undefined;
  private readonly nameOfType: NameOfType;
  private readonly runsAtExit: boolean;
  private readonly globals: LGlobal[];
  private readonly done: { name: string; body: LInstruction[] }[] = [];
  /** Maps the name of a block to that of its last part. */
  private readonly lastParts = new Map<string, string>();
  private readonly typeIds = new Map<string, bigint>();
  private body: LInstruction[] = [];
  private fresh = 0;
  private hasExit = false;
  private place: Place | undefined;
  private textLine = 0;

  constructor(
    module: Module,
    func: LFunction,
    isLibrary: boolean,
    unwinding: Unwinding | undefined,
    nameOfType: NameOfType,
    runsAtExit: boolean,
    globals: LGlobal[],
  ) {
    this.module = module;
    this.func = func;
    this.isLibrary = isLibrary;
    this.unwinding = unwinding;
    this.nameOfType = nameOfType;
    this.runsAtExit = runsAtExit;
    this.globals = globals;
  }

  run(): LFunction {
    for (const block of this.func.blocks) this.rewrite(block);
    if (this.hasExit) this.addExit();
    return { ...this.func, blocks: this.withoutUnreached() };
  }

  private rewrite({ name, body }: LBlock): void {
    this.begin(name);
    for (const i of body) {
      this.place = i.place;
      this.textLine = i.textLine;
      if (i.op === 'call') this.rewriteCall(i);
      else if (i.op === 'invoke') this.rewriteInvoke(i);
      else if (i.op === 'landingpad') this.rewritePad(i);
      else if (i.op === 'resume') this.rewriteResume(i);
      else this.body.push(i);
    }
    this.lastParts.set(name, this.done.at(-1)!.name);
  }

  private begin(name: string): void {
    this.body = [];
    this.done.push({ name, body: this.body });
  }

  private add(operation: LOperation, result?: string): void {
    const { place, textLine } = this;
    this.body.push({ ...operation, textLine, ...(place && { place }), ...(result !== undefined && { result }) });
  }

  private value(operation: LOperation): LValue {
    const name = `unwinding.${this.fresh++}`;
    this.add(operation, name);
    return { kind: 'local', name };
  }

  private rewriteCall(i: Call): void {
    const name = i.callee.kind === 'global' ? i.callee.name : '';
    if (name.startsWith(TYPE_ID)) {
      const id: LValue = { kind: 'int', value: this.typeId(i.arguments[0]!.value) };
      return this.add({ op: 'binary', operator: 'add', type: INT, left: id, right: ZERO }, i.result);
    }
    if (this.unwinding?.mayThrow(this.module, i.callee) !== true) return this.addCall(i, name);
    const depth = this.isOnce() ? this.enter([{ kind: 'global', name: ANY }]) : undefined;
    this.addCall(i, name);
    if (depth !== undefined) this.add(runtime('leave', VOID, [[INT, depth]]));
    const next = `unwinding.${this.fresh++}`;
    this.branchIfThrowing(this.exit(), next);
    this.begin(next);
  }

  private rewriteInvoke(i: LInstruction & { op: 'invoke' }): void {
    const { normal, unwind, ...call } = i;
    const name = i.callee.kind === 'global' ? i.callee.name : '';
    const guard = this.isGuarded(unwind) ? this.value(runtime('guard', INT)) : undefined;
    const unguard = (): void => guard && this.add(runtime('unguard', VOID, [[INT, guard]]));
    if (this.unwinding?.mayThrow(this.module, i.callee) !== true) {
      this.addCall({ ...call, op: 'call' }, name);
      unguard();
      return this.add({ op: 'br', target: normal });
    }
    const handlers = this.handlers(unwind);
    const depth = handlers === undefined ? undefined : this.enter(handlers);
    this.addCall({ ...call, op: 'call' }, name);
    if (depth !== undefined) this.add(runtime('leave', VOID, [[INT, depth]]));
    unguard();
    this.branchIfThrowing(unwind, normal);
  }

  /** Whether code runs there when `pthread_exit` leaves the function; it does except in handlers of given types. */
  private isGuarded(unwind: string): boolean {
    if (!this.runsAtExit) return false;
    const pad = padOf(this.func.blocks, unwind);
    return pad === undefined || pad.isCleanup || catchesAll(pad) || pad.clauses.some(({ kind }) => kind !== 'catch');
  }

  private addCall(i: Call, name: string): void {
    if (name === TERMINATE) {
      return this.add(runtime('leavesNoexcept', VOID, [[POINTER, i.arguments[0]!.value]]));
    }
    if (name === THROW && this.unwinding !== undefined && !this.isLibrary) {
      const [uncaught, leaves] = this.describe(i).map((text) => this.string(text));
      this.add(
        runtime('note', VOID, [
          [POINTER, uncaught!],
          [POINTER, leaves!],
        ]),
      );
    }
    this.body.push(i);
  }

  private describe(i: Call): readonly string[] {
    const type = i.arguments[1]?.value;
    const what = type?.kind === 'global' ? `the ${this.nameOfType(type.name)}` : 'the exception';
    const isKnown = i.place !== undefined && !isSystemHeader(i.place.file);
    const where = !isKnown ? '' : ` thrown at ${i.place!.file}:${i.place!.line}:${i.place!.column}`;
    return [`${what}${where} is never caught`, `${what}${where} leaves a function that is noexcept`];
  }

  /** A string constant that we add. */
  private string(text: string): LValue {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const type: LType = { kind: 'array', count: bytes.length, element: { kind: 'int', bits: 8 } };
    return this.constant(type, { kind: 'string', bytes });
  }

  private constant(type: LType, init: LValue): LValue {
    const name = `.unwinding.${this.globals.length}`;
    this.globals.push({
      name,
      type,
      init,
      align: 8,
      isConstant: true,
      isThreadLocal: false,
      isLocal: true,
      isWeak: false,
    });
    return { kind: 'global', name };
  }

  /** The types that a landing pad catches, unless it terminates the program. */
  private handlers(unwind: string): readonly LValue[] | undefined {
    const pad = padOf(this.func.blocks, unwind);
    if (pad === undefined || this.terminates(unwind)) return undefined;
    const types = pad.clauses.flatMap(({ ...clause }) => (clause.kind === 'catch' ? [clause.value] : []));
    if (types.length === 0) return undefined;
    return types.map((type) => (type.kind === 'null' ? { kind: 'global', name: ANY } : type));
  }

  /** Returns the depth of the list before the call. */
  private enter(types: readonly LValue[]): LValue {
    const elements = [...types, { kind: 'null' } as const].map((value) => ({ type: POINTER, value }));
    const type: LType = { kind: 'array', count: elements.length, element: POINTER };
    return this.value(runtime('enter', INT, [[POINTER, this.constant(type, { kind: 'aggregate', elements })]]));
  }

  /** In `pthread_once`, exceptions are not modelled, so it does not matter whether they are caught. */
  private isOnce(): boolean {
    return this.isLibrary && this.func.name === 'pthread_once';
  }

  private terminates(name: string): boolean {
    const block = this.func.blocks.find((each) => each.name === name);
    return block!.body.some((i) => i.op === 'call' && i.callee.kind === 'global' && i.callee.name === TERMINATE);
  }

  private branchIfThrowing(ifThrowing: string, otherwise: string): void {
    const flag = this.value(runtime('isThrowing', INT));
    const condition = this.value({ op: 'icmp', predicate: 'ne', type: INT, left: flag, right: ZERO });
    this.add({ op: 'condbr', condition, ifTrue: ifThrowing, ifFalse: otherwise });
  }

  /**
   * `{ ptr, i32 }`: the exception, and the number of the type that catches it: 0 if none does, negative if it must not
   * pass.
   */
  private rewritePad(i: LandingPad): void {
    const exception = this.value(runtime('land', POINTER));
    let selector = ZERO;
    i.clauses.forEach((clause, index) => {
      if (clause.kind === 'catch') {
        const isAll = clause.value.kind === 'null';
        const id: LValue = { kind: 'int', value: isAll ? 1n : this.typeId(clause.value) };
        const type: LValue = isAll ? { kind: 'global', name: ANY } : clause.value;
        selector = this.select(exception, selector, type, id);
        return;
      }
      // An exception that matches one of the clause's types passes.
      let passes = ZERO;
      for (const type of clause.values) passes = this.select(exception, passes, type, { kind: 'int', value: 1n });
      selector = this.value(
        runtime('passes', INT, [
          [INT, selector],
          [INT, passes],
          [INT, { kind: 'int', value: BigInt(-1 - index) }],
        ]),
      );
    });
    if (!i.isCleanup) {
      const [next, on] = [`unwinding.${this.fresh++}`, `unwinding.${this.fresh++}`];
      const condition = this.value({ op: 'icmp', predicate: 'ne', type: INT, left: selector, right: ZERO });
      this.add({ op: 'condbr', condition, ifTrue: next, ifFalse: on });
      this.begin(on);
      this.add(runtime('resume', VOID, [[POINTER, exception]]));
      this.add({ op: 'br', target: this.exit() });
      this.begin(next);
    }
    const half = this.value({
      op: 'insertvalue',
      aggregate: { type: i.type, value: { kind: 'undef' } },
      value: { type: POINTER, value: exception },
      indices: [0],
    });
    this.add(
      {
        op: 'insertvalue',
        aggregate: { type: i.type, value: half },
        value: { type: INT, value: selector },
        indices: [1],
      },
      i.result,
    );
  }

  private select(exception: LValue, selector: LValue, type: LValue, id: LValue): LValue {
    return this.value(
      runtime('select', INT, [
        [POINTER, exception],
        [INT, selector],
        [POINTER, type],
        [INT, id],
      ]),
    );
  }

  /** 1 is the id of the catch-all. */
  private typeId(type: LValue): bigint {
    const name = type.kind === 'global' ? type.name : JSON.stringify(type);
    if (!this.typeIds.has(name)) this.typeIds.set(name, BigInt(this.typeIds.size + 2));
    return this.typeIds.get(name)!;
  }

  private rewriteResume(i: LInstruction & { op: 'resume' }): void {
    const exception = this.value({ op: 'extractvalue', aggregate: i.value, indices: [0] });
    this.add(runtime('resume', VOID, [[POINTER, exception]]));
    this.add({ op: 'br', target: this.exit() });
  }

  /** The block through which exceptions leave the function. */
  private exit(): string {
    this.hasExit = true;
    return EXIT;
  }

  private addExit(): void {
    const { result, place } = this.func;
    this.place = place;
    this.begin(EXIT);
    if (this.unwinding?.mayLeave(this.func, this.isLibrary) === false) {
      this.add(runtime(this.isOnce() ? 'leavesOnce' : 'uncaught', VOID));
      return this.add({ op: 'unreachable' });
    }
    this.add(result.kind === 'void' ? { op: 'ret' } : { op: 'ret', value: { type: result, value: { kind: 'zero' } } });
  }

  /** Removes unreachable blocks, and updates the predecessors in each `phi`. */
  private withoutUnreached(): readonly LBlock[] {
    const byName = new Map(this.done.map((block) => [block.name, block]));
    const reached = new Set([this.done[0]!.name]);
    for (const name of reached) for (const next of targetsOf(byName.get(name)!.body.at(-1))) reached.add(next);
    const kept = this.done.filter(({ name }) => reached.has(name));
    const targets = new Map(kept.map(({ name, body }) => [name, new Set(targetsOf(body.at(-1)))]));
    return kept.map(({ name, body }) => ({
      name,
      body: body.map((i) => {
        if (i.op !== 'phi') return i;
        const incoming = i.incoming
          .map(({ value, block }) => ({ value, block: this.lastParts.get(block) ?? block }))
          .filter(({ block }) => targets.get(block)?.has(name) === true);
        return { ...i, incoming };
      }),
    }));
  }
}

const EXIT = 'unwinding.exit';
