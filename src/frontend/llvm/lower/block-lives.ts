/**
 * Shared variables whose lifetime is shorter than the call of their function (`lives.ts`). Each life is an object of
 * its own. It ends by an event, like the variables of a function that returns.
 *
 * A variable in a loop keeps its object for the next round if the thread has only read since it began. No other thread
 * can know of the object then, and nothing has been written to it, so a new one would be the same; and a loop in which
 * the thread waits still comes back to the same state (decision 18). docs/decisions/0041-blocks.md has the argument.
 */
import { int, reg } from '../../../program/builder.ts';
import type { Dest, Instruction, Operand } from '../../../program/ir.ts';
import type { Location } from '../../../program/location.ts';
import type { FunctionContext } from './function-context.ts';
import type { Life } from './lives.ts';

interface Maker {
  /** Where it is declared. */
  readonly location?: Location;
  make(address: Dest): void;
}

interface Variable {
  readonly life: Life;
  readonly maker: Maker;
  /** In a loop: what `progress` was when the life began. */
  readonly since?: Dest;
}

export class BlockLives {
  private readonly into: FunctionContext;
  private readonly variables = new Map<string, Variable>();

  constructor(into: FunctionContext) {
    this.into = into;
  }

  add(name: string, life: Life, maker: Maker): void {
    const since = life.repeats ? this.into.temporary('i32') : undefined;
    this.variables.set(name, { life, maker, ...(since === undefined ? {} : { since }) });
  }

  /** A begin mark is reached. */
  begin(name: string): void {
    const variable = this.variables.get(name);
    if (variable?.life.begins === 'at-mark') this.make(name, variable);
  }

  /** The declaration of a variable is reached; only variables without marks begin here. */
  declare(name: string): void {
    const variable = this.variables.get(name);
    if (variable?.life.begins !== 'at-declaration') return;
    this.endIfUsed(name, variable.since!);
    this.make(name, variable);
  }

  /** An end mark is reached. */
  end(name: string): void {
    const variable = this.variables.get(name);
    if (variable === undefined) return;
    if (variable.since === undefined) this.free(name);
    else this.endIfUsed(name, variable.since, () => this.suspend(name));
  }

  /** Before a return: ends variables without marks, and those whose further lives there was no room for. */
  endAll(): void {
    for (const [name, { life, since }] of this.variables) {
      if (life.begins === 'at-declaration') this.endIfMade(name);
      else if (since !== undefined) {
        this.when('eq', this.progress(), int(0), () => {
          this.when('ne', this.address(name), int(0), () => {
            this.resume(name);
            this.free(name);
          });
        });
      }
    }
  }

  private make(name: string, { life, maker, since }: Variable): void {
    const { builder } = this.into;
    const make = (): void => {
      const { location } = builder;
      if (maker.location !== undefined) builder.location = maker.location;
      this.into.redefinePointer(name, maker.make);
      builder.location = location;
    };
    if (since === undefined) return make();
    const resume = life.begins === 'at-mark' ? () => this.resumeIfIdle(name, since, make) : undefined;
    this.when('eq', this.address(name), int(0), make, resume);
    builder.add({ op: 'progress', dest: since });
  }

  /**
   * If the thread has done more than read since the last life ended, it may have given the address away: then that life
   * ends for good.
   */
  private resumeIfIdle(name: string, since: Dest, make: () => void): void {
    const now = this.progress();
    const resume = (): void => this.resume(name);
    const renew = (): void => {
      this.resume(name);
      this.free(name);
      make();
    };
    this.when('ne', now, int(0), () => this.when('ne', now, reg(since), renew, resume), resume);
  }

  private endIfUsed(name: string, since: Dest, otherwise?: () => void): void {
    const now = this.progress();
    this.when(
      'ne',
      now,
      reg(since),
      () => this.endIfMade(name),
      otherwise && (() => this.when('ne', now, int(0), otherwise)),
    );
  }

  private progress(): Operand {
    const now = this.into.temporary('i32');
    this.into.builder.add({ op: 'progress', dest: now });
    return reg(now);
  }

  private resume(name: string): void {
    this.into.builder.add({ op: 'suspend', address: this.address(name), isBack: true });
  }

  private endIfMade(name: string): void {
    this.when('ne', this.address(name), int(0), () => {
      this.free(name);
      this.into.redefinePointer(name, (dest) => this.into.builder.move(dest, int(0)));
    });
  }

  private free(name: string): void {
    this.addHere({ op: 'free', what: 'stack', address: this.address(name) });
  }

  private suspend(name: string): void {
    this.addHere({ op: 'suspend', address: this.address(name), isBack: false });
  }

  private addHere(instruction: Instruction): void {
    const { builder } = this.into;
    const { location } = builder;
    // Versions of clang disagree about the columns of such places.
    builder.location = { ...this.into.place, column: 0 };
    builder.add(instruction);
    builder.location = location;
  }

  private address(name: string): Operand {
    return this.into.address({ kind: 'local', name });
  }

  private when(
    predicate: 'eq' | 'ne',
    left: Operand,
    right: Operand,
    then: () => void,
    otherwise: (() => void) | undefined = undefined,
  ): void {
    const { builder } = this.into;
    const holds = this.into.temporary('i1');
    const inside = builder.block('life');
    const after = builder.block('lives');
    const other = otherwise === undefined ? after : builder.block('kept');
    builder.compare(predicate, holds, left, right);
    builder.branch(reg(holds), inside, other);
    builder.startBlock(inside);
    then();
    builder.jump(after);
    if (otherwise !== undefined) {
      builder.startBlock(other);
      otherwise();
      builder.jump(after);
    }
    builder.startBlock(after);
  }
}
