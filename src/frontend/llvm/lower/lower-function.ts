/**
 * Lowers one function: every SSA value becomes a register (a structure value several); every alloca a register, a
 * private stack object or a shared one (`storage.ts`); every instruction its counterpart in the program form.
 */
import { constant, reg } from '../../../program/builder.ts';
import type { Dest, Operand, Target } from '../../../program/ir.ts';
import type { BinaryOperator } from '../../../program/operators.ts';
import { isFloat } from '../../../program/types.ts';
import type { LInstruction, LValue, TypedValue } from '../ir/module.ts';
import { asConstant, FunctionContext } from './function-context.ts';
import { begunBy, endedBy } from './lives.ts';
import { AccessLowering } from './lower-access.ts';
import { CallLowering } from './lower-call.ts';
import { ComputationLowering } from './lower-computation.ts';
import { oddWidth } from './odd-integers.ts';
import { returnsFromError } from './sv-comp.ts';
import { VectorLowering } from './vectors.ts';
import { isWide } from './wide-integers.ts';

type Phi = LInstruction & { op: 'phi' };

export class FunctionLowering extends FunctionContext {
  private readonly blocks = new Map<string, Target>();
  /** By block; and by phi, what it becomes for each block before. */
  private readonly phis = new Map<string, readonly Phi[]>();
  private readonly incoming = new Map<Phi, ReadonlyMap<string, LValue>>();
  private readonly calls = new CallLowering(this);
  private readonly vectors = new VectorLowering(this);
  private readonly computing = new ComputationLowering(this, this.vectors);
  private readonly accesses = new AccessLowering(this, this.computing, this.vectors);

  run(): void {
    const { func } = this.linked;
    let next = this.isComposite(func.result) ? 1 : 0;
    for (const { name, type } of func.parameters) {
      this.values.set(
        name,
        this.parts(type).map(() => next++),
      );
    }
    for (const [i, block] of func.blocks.entries()) {
      this.blocks.set(block.name, i === 0 ? 0 : this.builder.block(block.name));
      const phis = block.body.filter((instruction): instruction is Phi => instruction.op === 'phi');
      for (const phi of phis) {
        this.declare(phi);
        this.incoming.set(phi, new Map(phi.incoming.map(({ block: from, value }) => [from, value])));
      }
      this.phis.set(block.name, phis);
    }
    this.calls.prepare();
    for (const block of func.blocks) {
      this.builder.startBlock(this.blocks.get(block.name)!);
      for (const instruction of block.body) {
        this.place = instruction.place ?? this.place;
        for (const name of instruction.declares ?? []) this.accesses.declare(name, block.name);
        this.locate(undefined);
        this.lower(instruction, block.name);
      }
    }
  }

  private lower(i: LInstruction, block: string): void {
    const { builder } = this;
    switch (i.op) {
      case 'alloca':
        return this.accesses.lowerAlloca(i);
      case 'load':
        return this.accesses.lowerLoad(i);
      case 'store':
        return this.accesses.lowerStore(i);
      case 'gep':
        return this.accesses.lowerGep(i);
      case 'fence':
        // A signal fence restricts only the compiler, and clang at -O0 reorders nothing.
        if (!i.singleThread) builder.fence(i.order as 'seq_cst');
        return;
      case 'cmpxchg':
        return this.accesses.lowerCompareExchange(i);
      case 'atomicrmw':
        return this.accesses.lowerReadModifyWrite(i);
      case 'binary': {
        const width = oddWidth(i.type);
        if (width !== undefined) return this.computing.lowerOddBinary(i, width);
        if (isWide(i.type)) return this.computing.lowerWideBinary(i);
        if (this.isVector(i.type)) return this.vectors.lowerBinary(i);
        return builder.binary(
          i.operator as BinaryOperator,
          this.result(i, this.scalar(i.type)),
          this.operand(i.left, i.type),
          this.operand(i.right, i.type),
        );
      }
      case 'fneg':
        if (this.isVector(i.type)) return this.vectors.lowerNegate(i);
        return builder.unary('fneg', this.result(i, this.scalar(i.type)), this.operand(i.value, i.type));
      case 'icmp':
      case 'fcmp':
        return this.computing.lowerCompare(i);
      case 'cast':
        return this.computing.lowerCast(i);
      case 'select':
        return this.computing.lowerSelect(i);
      case 'freeze':
        return this.lowerFreeze(i);
      case 'extractvalue':
        return this.computing.lowerExtract(i);
      case 'insertvalue':
        return this.computing.lowerInsert(i);
      case 'extractelement':
        return this.vectors.lowerExtract(i);
      case 'insertelement':
        return this.vectors.lowerInsert(i);
      case 'shufflevector':
        return this.vectors.lowerShuffle(i);
      case 'phi':
        return;
      case 'call': {
        const begun = begunBy(i);
        if (begun !== undefined) return this.accesses.blockLives.begin(begun);
        const ended = endedBy(i);
        if (ended !== undefined) return this.accesses.blockLives.end(ended);
        return this.calls.lower(i);
      }
      case 'ret':
        return this.lowerReturn(i);
      case 'br':
        return builder.jump(this.edge(block, i.target));
      case 'condbr':
        return builder.branch(
          this.operand(i.condition, { kind: 'int', bits: 1 }),
          this.edge(block, i.ifTrue),
          this.edge(block, i.ifFalse),
        );
      case 'switch': {
        const type = this.scalar(i.value.type);
        const cases = i.cases.map(({ value, target }) => ({
          value: asConstant(type, value),
          target: this.edge(block, target),
        }));
        return builder.switch(this.operand(i.value.value, i.value.type), cases, this.edge(block, i.default));
      }
      case 'indirectbr':
        return this.lowerIndirectBranch(i, block);
      case 'unreachable':
        return builder.unreachable();
      case 'va_arg':
        return this.fail('this form of va_arg is unsupported');
      case 'invoke':
      case 'landingpad':
      case 'resume':
        return this.fail(`unsupported instruction: ${i.op}, of code with exceptions that is not C++`);
      case 'unsupported':
        if (/^(?:%\S+ = )?callbr\s/.test(i.text.trim()))
          this.fail('unsupported: asm goto; assembly cannot jump to labels of C');
        return this.fail(`unsupported instruction: ${i.text.trim().slice(0, 80)}`);
    }
  }

  /** The optimiser inserts `freeze` where it branches on a value that the program itself might not have read. */
  private lowerFreeze(i: LInstruction & { op: 'freeze' }): void {
    const values = this.partsOf({ type: i.type, value: i.value });
    const types = this.parts(i.type);
    if (this.program.freshMemory.isUndefined !== true || types.some(isFloat)) return this.moveParts(i, values, types);
    this.define(i.result, types).forEach((dest, k) => {
      this.builder.unary('settle', dest, values[k]!);
    });
  }

  private lowerReturn(i: LInstruction & { op: 'ret' }): void {
    const value = i.value === undefined ? undefined : this.returned(i.value);
    // Other threads may still use these, so the end of their life is an event. Versions of clang disagree about the
    // column of a return.
    this.builder.location = { ...this.place, column: 0 };
    if (returnsFromError(this.linked)) this.builder.assert(constant('i1', 0), 'reach_error()');
    for (const address of this.accesses.shared) this.builder.add({ op: 'free', what: 'stack', address: reg(address) });
    this.accesses.blockLives.endAll();
    this.builder.return(value);
  }

  /** The result; if it has several parts, it goes to the caller's block instead. */
  private returned(value: TypedValue): Operand | undefined {
    if (!this.isComposite(value.type)) return this.operand(value.value, value.type);
    for (const [part, operand] of this.partsOf(value).entries()) {
      this.storeTo(this.offset(reg(0), part * 8), operand, true);
    }
    return undefined;
  }

  private lowerIndirectBranch(i: LInstruction & { op: 'indirectbr' }, block: string): void {
    const { name } = this.linked.func;
    const trap = this.builder.block('trap');
    const cases = [...new Set(i.targets)].map((target) => ({
      value: this.context.constants.blockNumber(name, target),
      target: this.edge(block, target),
    }));
    this.builder.switch(this.address(i.address), cases, trap);
    this.builder.startBlock(trap);
    this.builder.unreachable();
  }

  /** The target of a jump from `from` to `to`; if `to` has phis, a separate block assigns them. */
  private edge(from: string, to: string): Target {
    const target = this.blocks.get(to);
    if (target === undefined) return this.fail(`block %${to} is not defined`);
    const phis = this.phis.get(to)!;
    if (phis.length === 0) return target;
    const edge = this.builder.block(`${from}.${to}`);
    const back = this.builder.currentBlock;
    this.builder.startBlock(edge);
    // All values are read before any is written.
    const moves: { dest: Dest; from: Dest }[] = [];
    for (const phi of phis) {
      const value = this.incoming.get(phi)!.get(from);
      if (value === undefined) return this.fail(`phi without a value for block %${from}`);
      const types = this.parts(phi.type);
      const values = this.partsOf({ type: phi.type, value });
      this.define(phi.result, types).forEach((dest, k) => {
        const copy = this.temporary(types[k]!);
        this.builder.move(copy, values[k]!);
        moves.push({ dest, from: copy });
      });
    }
    for (const move of moves) this.builder.move(move.dest, move.from);
    this.builder.jump(target);
    this.builder.startBlock(back);
    return edge;
  }
}
