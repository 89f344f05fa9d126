/**
 * Gives an instruction's operands their roles and checks that they are compatible. AT&T writes the destination last,
 * Intel first; from here on it is simply `dest`. Sizes that depend on a location's type are left open.
 */
import type {
  AddressSyntax,
  Arch,
  InstructionSyntax,
  MemorySyntax,
  NumberSyntax,
  OperandSyntax,
  RegisterSyntax,
} from './ast.ts';
import { type Arithmetic, type BranchCondition, findMnemonic, type Mnemonic } from './instructions.ts';
import type { Piece, Source } from './source.ts';

export type Place = RegisterSyntax | MemorySyntax;
export type Immediate = NumberSyntax | AddressSyntax;

export type Operation =
  | { readonly kind: 'move'; readonly dest: Place; readonly source: Place | Immediate }
  | {
      readonly kind: 'extend';
      readonly signed: boolean;
      readonly dest: RegisterSyntax;
      readonly source: Place;
      /** Bytes of the source. */
      readonly from: number | undefined;
    }
  | { readonly kind: 'load address'; readonly dest: RegisterSyntax; readonly source: MemorySyntax }
  | {
      readonly kind: 'arithmetic';
      readonly operator: Arithmetic;
      readonly dest: Place;
      readonly source: Place | Immediate;
      readonly locked: boolean;
    }
  | { readonly kind: 'step'; readonly operator: 'add' | 'sub'; readonly dest: Place; readonly locked: boolean }
  | {
      readonly kind: 'compare';
      readonly operator: 'sub' | 'and';
      readonly left: Place | Immediate;
      readonly right: Place | Immediate;
    }
  | { readonly kind: 'exchange'; readonly dest: Place; readonly source: RegisterSyntax; readonly locked: boolean }
  | (MemoryExchange & { readonly kind: 'exchange-add' })
  | (MemoryExchange & { readonly kind: 'compare-exchange' })
  | { readonly kind: 'fence'; readonly order: 'acquire' | 'release' | 'seq_cst' }
  | { readonly kind: 'jump'; readonly label: Piece }
  | { readonly kind: 'branch'; readonly condition: BranchCondition; readonly label: Piece }
  | { readonly kind: 'return' | 'nothing' };

interface MemoryExchange {
  readonly dest: MemorySyntax;
  readonly source: RegisterSyntax;
  readonly locked: boolean;
}

export interface Decoded {
  readonly operation: Operation;
  /** Bytes of the operands (for `extend`, of the destination); `undefined` if only a location's type tells. */
  readonly size: number | undefined;
  readonly instruction: InstructionSyntax;
}

export function decode(source: Source, arch: Arch, instruction: InstructionSyntax): Decoded {
  const found = findMnemonic(instruction.mnemonic);
  if (found === undefined) throw source.error(instruction.mnemonicPiece, 'an instruction');
  if (found === 'unsupported') {
    throw source.error(instruction.mnemonicPiece, 'an instruction that is modelled; this one is unsupported');
  }
  return new Decoder(source, arch, instruction, found).decode();
}

class Decoder {
  private readonly source: Source;
  private readonly arch: Arch;
  private readonly instruction: InstructionSyntax;
  private readonly mnemonic: Mnemonic;

  constructor(source: Source, arch: Arch, instruction: InstructionSyntax, mnemonic: Mnemonic) {
    this.source = source;
    this.arch = arch;
    this.instruction = instruction;
    this.mnemonic = mnemonic;
  }

  decode(): Decoded {
    const operation = this.operation();
    const { lock } = this.instruction;
    if (lock !== undefined && !('locked' in operation && operation.dest.kind === 'memory')) {
      throw this.source.error(lock, 'lock only before an instruction that changes memory in place');
    }
    return { operation, size: this.size(operation), instruction: this.instruction };
  }

  private operation(): Operation {
    const { action } = this.mnemonic;
    const locked = this.instruction.lock !== undefined;
    switch (action.kind) {
      case 'move': {
        const [dest, source] = this.two();
        return { kind: 'move', dest: this.place(dest), source: this.data(source) };
      }
      case 'arithmetic': {
        const [dest, source] = this.two();
        return { ...action, dest: this.place(dest), source: this.data(source), locked };
      }
      case 'compare': {
        const [left, right] = this.two();
        return { ...action, left: this.place(left), right: this.data(right) };
      }
      case 'step':
        return { ...action, dest: this.place(this.one()), locked };
      case 'extend': {
        const [dest, source] = this.two();
        return {
          kind: 'extend',
          signed: action.signed,
          from: action.from,
          dest: this.register(dest),
          source: this.place(source),
        };
      }
      case 'load address': {
        const [dest, source] = this.two();
        const memory = this.place(source);
        if (memory.kind !== 'memory') throw this.source.error(memory, 'a memory operand');
        return { kind: 'load address', dest: this.register(dest), source: memory };
      }
      case 'exchange':
      case 'plain exchange': {
        const [first, second] = this.two();
        const [dest, source] = second.kind === 'register' ? [first, second] : [second, first];
        // An exchange with memory is locked even without the prefix.
        const implied = action.kind === 'exchange' && dest.kind !== 'register';
        return { kind: 'exchange', dest: this.place(dest), source: this.register(source), locked: locked || implied };
      }
      case 'exchange-add':
      case 'compare-exchange': {
        const [first, second] = this.two();
        // herd's X86_64 puts memory first, AT&T puts it last; it is unambiguous in either position.
        const [dest, source] = second.kind === 'memory' ? [second, first] : [first, second];
        if (dest.kind !== 'memory') throw this.source.error(dest, 'a memory operand');
        return { kind: action.kind, dest, source: this.register(source), locked };
      }
      case 'fence':
      case 'return':
        this.expectOperands(0);
        return action.kind === 'fence' ? action : { kind: 'return' };
      case 'nothing':
        return { kind: 'nothing' };
      case 'jump':
        return { kind: 'jump', label: this.label() };
      case 'branch':
        return { ...action, label: this.label() };
    }
  }

  private expectOperands(count: number): void {
    const { operands, mnemonicPiece } = this.instruction;
    if (operands.length === count) return;
    const expected = count === 1 ? '1 operand' : `${count} operands`;
    throw this.source.error(operands[count] ?? mnemonicPiece, operands.length > count ? `only ${expected}` : expected);
  }

  private one(): OperandSyntax {
    this.expectOperands(1);
    return this.resolve(this.instruction.operands[0]!);
  }

  /** Destination first. */
  private two(): [OperandSyntax, OperandSyntax] {
    this.expectOperands(2);
    const [first, second] = this.instruction.operands.map((operand) => this.resolve(operand));
    if (first!.kind === 'memory' && second!.kind === 'memory') {
      throw this.source.error(second!, 'at most one memory operand');
    }
    return this.arch === 'X86' ? [first!, second!] : [second!, first!];
  }

  private resolve(operand: OperandSyntax): OperandSyntax {
    if (operand.kind !== 'name') return operand;
    // In AT&T notation a bare symbol is the memory at that symbol. Intel's assemblers disagree, so it is refused.
    if (this.arch === 'X86') throw this.source.error(operand, '[x] for a location or $x for its address');
    const { at, text } = operand;
    return {
      kind: 'memory',
      symbol: operand,
      base: undefined,
      index: undefined,
      scale: 1,
      displacement: 0,
      size: undefined,
      at,
      text,
    };
  }

  private place(operand: OperandSyntax): Place {
    if (operand.kind === 'register' || operand.kind === 'memory') return operand;
    throw this.source.error(operand, 'a register or memory');
  }

  private register(operand: OperandSyntax): RegisterSyntax {
    if (operand.kind === 'register') return operand;
    throw this.source.error(operand, 'a register');
  }

  private data(operand: OperandSyntax): Place | Immediate {
    if (operand.kind !== 'name') return operand;
    throw this.source.error(operand, 'a register, memory or an immediate');
  }

  private label(): Piece {
    this.expectOperands(1);
    const operand = this.instruction.operands[0]!;
    if (operand.kind === 'name') return operand;
    throw this.source.error(operand, 'a label');
  }

  /** The size that all operands agree on. */
  private size(operation: Operation): number | undefined {
    let size = this.mnemonic.size;
    const agree = (operand: Place | Immediate) => {
      const own = sizeOfOperand(operand);
      size ??= own;
      if (own !== undefined && own !== size) throw this.source.error(operand, `an operand of ${bytes(size!)}`);
    };
    switch (operation.kind) {
      case 'extend':
        agree(operation.dest);
        this.checkExtension(operation, size!);
        return size;
      case 'load address':
        agree(operation.dest);
        if (size! < 4) throw this.source.error(operation.dest, 'a register that can hold an address');
        return size;
      case 'move':
      case 'arithmetic':
      case 'exchange':
      case 'exchange-add':
      case 'compare-exchange':
        agree(operation.dest);
        agree(operation.source);
        return size;
      case 'compare':
        agree(operation.left);
        agree(operation.right);
        return size;
      case 'step':
        agree(operation.dest);
        return size;
      default:
        return undefined;
    }
  }

  private checkExtension(operation: Operation & { kind: 'extend' }, size: number): void {
    const own = sizeOfOperand(operation.source);
    const { from } = operation;
    if (from !== undefined && own !== undefined && own !== from) {
      throw this.source.error(operation.source, `an operand of ${bytes(from)}`);
    }
    const known = from ?? own;
    if (known !== undefined && known >= size) {
      throw this.source.error(operation.source, `an operand of less than ${bytes(size)}`);
    }
  }
}

export function sizeOfOperand(operand: Place | Immediate): number | undefined {
  if (operand.kind === 'register') return operand.part.bits / 8;
  return operand.kind === 'memory' ? operand.size : undefined;
}

export function bytes(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`;
}
