/**
 * The registers of one thread while it is being lowered: whole x86 registers, flags and temporaries, and how parts of
 * registers are read and written. Writing 32 bits of a 64-bit register clears the other bits, writing 8 or 16 keeps
 * them (Intel's manual, vol. 1, 3.4.1.1).
 */
import { constant, type FunctionBuilder, reg } from '../../program/builder.ts';
import type { Dest, Operand } from '../../program/ir.ts';
import { bitsOf, type Type } from '../../program/types.ts';
import type { Arch } from './ast.ts';
import { integerOfSize } from './c-types.ts';
import { type RegisterPart, wordBits, wordType } from './registers.ts';

type Flag = 'ZF' | 'SF' | 'CF' | 'OF';

export class Frame {
  readonly func: FunctionBuilder;
  private readonly arch: Arch;
  private readonly named: Map<string, Dest> = new Map();
  /** Temporaries of each type; those below `used` are in use by the current instruction. */
  private readonly temporaries: Map<Type, { used: number; readonly all: Dest[] }> = new Map();

  constructor(func: FunctionBuilder, arch: Arch) {
    this.func = func;
    this.arch = arch;
  }

  /** A whole register, by its family. */
  whole(family: string): Dest {
    return this.register(family, wordType(this.arch));
  }

  flag(flag: Flag): Dest {
    return this.register(flag, 'i1');
  }

  temporary(type: Type): Dest {
    let pool = this.temporaries.get(type);
    if (pool === undefined) {
      pool = { used: 0, all: [] };
      this.temporaries.set(type, pool);
    }
    const index = pool.used++;
    pool.all[index] ??= this.func.register(`${type}.${index}`, type);
    return pool.all[index];
  }

  /** Frees all temporaries, so that the next instruction reuses them. */
  freeTemporaries(): void {
    for (const pool of this.temporaries.values()) pool.used = 0;
  }

  isWhole(part: RegisterPart): boolean {
    return part.bits === wordBits(this.arch);
  }

  /** The value of a part, as an integer of its size. */
  read(part: RegisterPart): Operand {
    const whole = reg(this.whole(part.family));
    if (this.isWhole(part)) return whole;
    const word = wordType(this.arch);
    const shifted =
      part.shift === 0
        ? whole
        : this.compute(word, (dest) => this.func.binary('lshr', dest, whole, this.word(BigInt(part.shift))));
    return this.compute(integerOfSize(part.bits / 8), (dest) => this.func.cast('trunc', dest, shifted));
  }

  /** Sets a part to an integer of its size. */
  write(part: RegisterPart, value: Operand): void {
    const whole = this.whole(part.family);
    if (this.isWhole(part)) return this.func.move(whole, value);
    if (part.bits === 32) return this.func.move(whole, this.extend('zext', value, 'i32', 'i64'));
    const word = wordType(this.arch);
    const extended = this.extend('zext', value, integerOfSize(part.bits / 8), word);
    const shifted =
      part.shift === 0
        ? extended
        : this.compute(word, (dest) => this.func.binary('shl', dest, extended, this.word(BigInt(part.shift))));
    const mask = ((1n << BigInt(part.bits)) - 1n) << BigInt(part.shift);
    const kept = this.compute(word, (dest) => this.func.binary('and', dest, whole, this.word(~mask)));
    this.func.binary('or', whole, kept, shifted);
  }

  /** The same value with more bits. */
  extend(operator: 'zext' | 'sext', value: Operand, from: Type, to: Type): Operand {
    if (bitsOf(from) === bitsOf(to)) return value;
    if (value.kind === 'constant') {
      const [bits, number] = [bitsOf(from), BigInt(value.value)];
      return integer(to, operator === 'zext' ? BigInt.asUintN(bits, number) : BigInt.asIntN(bits, number));
    }
    return this.compute(to, (dest) => this.func.cast(operator, dest, value));
  }

  /** A fresh temporary, which `emit` fills. */
  compute(type: Type, emit: (dest: Dest) => void): Operand {
    const dest = this.temporary(type);
    emit(dest);
    return reg(dest);
  }

  private word(value: bigint): Operand {
    return integer(wordType(this.arch), value);
  }

  private register(name: string, type: Type): Dest {
    let index = this.named.get(name);
    if (index === undefined) {
      index = this.func.register(name, type);
      this.named.set(name, index);
    }
    return index;
  }
}

/** A constant; `value` is taken modulo 2^bits. */
export function integer(type: Type, value: bigint): Operand {
  const signed = BigInt.asIntN(bitsOf(type), value);
  return constant(type, type === 'i64' ? signed : Number(signed));
}
