/**
 * Expressions of a test in C: ints, variables, accesses through pointers, and C11's atomic operations.
 *
 * Everything is evaluated from left to right, as in herd. The right operand of `&&` and `||` must not access memory.
 */
import { type FunctionBuilder, int, reg } from '../../program/builder.ts';
import type { Dest, Operand } from '../../program/ir.ts';
import type { BinaryOperator, Predicate, RmwOperator } from '../../program/operators.ts';
import type { FenceOrder, Order } from '../../program/types.ts';
import type { CParameter } from './ast.ts';
import type { CLexer } from './c-lexer.ts';
import type { Layout } from './layout.ts';
import type { Piece } from './source.ts';

/** From the weakest to the strongest binding. */
const LEVELS: readonly Readonly<Record<string, BinaryOperator | Predicate | 'and then' | 'or else'>>[] = [
  { '||': 'or else' },
  { '&&': 'and then' },
  { '|': 'or' },
  { '^': 'xor' },
  { '&': 'and' },
  { '==': 'eq', '!=': 'ne' },
  { '<': 'slt', '>': 'sgt', '<=': 'sle', '>=': 'sge' },
  { '+': 'add', '-': 'sub' },
  { '*': 'mul' },
];
const PREDICATES: readonly string[] = ['eq', 'ne', 'slt', 'sgt', 'sle', 'sge'];

const ORDERS: Readonly<Record<string, Order>> = {
  memory_order_relaxed: 'relaxed',
  memory_order_acquire: 'acquire',
  memory_order_release: 'release',
  memory_order_acq_rel: 'acq_rel',
  memory_order_seq_cst: 'seq_cst',
};
const LOADS: readonly Order[] = ['relaxed', 'acquire', 'seq_cst'];
const STORES: readonly Order[] = ['relaxed', 'release', 'seq_cst'];
const ALL: readonly Order[] = Object.values(ORDERS);

const FETCHES: Readonly<Record<string, RmwOperator>> = {
  atomic_exchange: 'xchg',
  atomic_fetch_add: 'add',
  atomic_fetch_sub: 'sub',
  atomic_fetch_and: 'and',
  atomic_fetch_or: 'or',
  atomic_fetch_xor: 'xor',
};

/** The grammar is recursive; this bound keeps it from overflowing the stack. */
const MAX_DEPTH = 200;

export class CExpression {
  private readonly lexer: CLexer;
  private readonly func: FunctionBuilder;
  private readonly layout: Layout;
  private readonly pointers: ReadonlyMap<string, CParameter['order']>;
  private readonly variables: ReadonlyMap<string, Dest>;
  /** The number of accesses to memory so far. */
  private accesses = 0;
  private depth = 0;

  constructor(
    lexer: CLexer,
    func: FunctionBuilder,
    layout: Layout,
    pointers: ReadonlyMap<string, CParameter['order']>,
    variables: ReadonlyMap<string, Dest>,
  ) {
    this.lexer = lexer;
    this.func = func;
    this.layout = layout;
    this.pointers = pointers;
    this.variables = variables;
  }

  isPointer(name: string): boolean {
    return this.pointers.has(name);
  }

  /** An expression. */
  value(level = 0): Operand {
    if (level === LEVELS.length) return this.unary();
    const { lexer } = this;
    let left = this.value(level + 1);
    for (;;) {
      const sign = lexer.peek();
      const operator = Object.hasOwn(LEVELS[level]!, sign.text) ? LEVELS[level]![sign.text] : undefined;
      if (operator === undefined || sign.kind !== 'punctuation') return left;
      lexer.next();
      const before = this.accesses;
      const right = this.value(level + 1);
      const isLogical = operator === 'and then' || operator === 'or else';
      if (isLogical && this.accesses > before) {
        lexer.fail('no access to memory on the right; use an if', sign);
      }
      left = this.combine(operator, left, right);
    }
  }

  private combine(
    operator: BinaryOperator | Predicate | 'and then' | 'or else',
    left: Operand,
    right: Operand,
  ): Operand {
    const { func } = this;
    const dest = func.register('', 'i32');
    if (operator === 'and then' || operator === 'or else') {
      const [a, b] = [this.flag(this.truth(left)), this.flag(this.truth(right))];
      func.binary(operator === 'and then' ? 'and' : 'or', dest, a, b);
    } else if (PREDICATES.includes(operator)) {
      const flag = func.register('', 'i1');
      func.compare(operator as Predicate, flag, left, right);
      return this.flag(reg(flag));
    } else func.binary(operator as BinaryOperator, dest, left, right);
    return reg(dest);
  }

  /** 0 or 1. */
  private flag(value: Operand): Operand {
    const dest = this.func.register('', 'i32');
    this.func.cast('zext', dest, value);
    return reg(dest);
  }

  truth(value: Operand): Operand {
    const flag = this.func.register('', 'i1');
    this.func.compare('ne', flag, value, int(0));
    return reg(flag);
  }

  private unary(): Operand {
    const { lexer, func } = this;
    const start = lexer.peek();
    if (++this.depth > MAX_DEPTH) lexer.fail('less nesting', start);
    try {
      if (lexer.is('*')) return this.loadThrough();
      if (lexer.accept('!')) return this.combine('eq', this.unary(), int(0));
      if (lexer.accept('-')) return this.combine('sub', int(0), this.unary());
      if (lexer.accept('~')) return this.combine('xor', this.unary(), int(-1));
      if (lexer.accept('(')) {
        const value = this.value();
        lexer.expect(')');
        return value;
      }
      if (start.kind === 'number') {
        const { value } = lexer.expectInteger('a number');
        if (value > 0x7fff_ffffn) lexer.fail('a number that fits into an int', start);
        return int(Number(value));
      }
      if (lexer.is('(', 1)) return this.call(false)!;
      const name = lexer.expectName('an expression').text;
      const variable = this.variables.get(name);
      if (variable === undefined) {
        return lexer.fail(
          this.isPointer(name) ? `*${name} or an atomic operation` : 'a variable that is declared above',
          start,
        );
      }
      // A copy, because the variable may change before its value is used.
      const copy = func.register('', 'i32');
      func.move(copy, variable);
      return reg(copy);
    } finally {
      this.depth--;
    }
  }

  /** A pointer, and the order of an access through it that is not an atomic operation. */
  private access(): { readonly address: Operand; readonly order: Order } {
    const { lexer } = this;
    const { at, text } = lexer.expectName('a pointer among the parameters');
    const order = this.pointers.get(text);
    if (order === undefined) return lexer.fail('a pointer among the parameters', { at, text });
    this.accesses++;
    return { address: this.layout.address({ kind: 'address', name: text, index: undefined, at, text }), order };
  }

  /** A pointer to something atomic. */
  private pointer(): Operand {
    const start = this.lexer.peek();
    const { address, order } = this.access();
    if (order !== 'seq_cst') this.lexer.fail('a pointer to an atomic type, such as atomic_int', start);
    return address;
  }

  private loadThrough(): Operand {
    this.lexer.expect('*');
    const { address, order } = this.access();
    const dest = this.func.register('', 'i32');
    this.func.load(dest, address, order);
    return reg(dest);
  }

  /** `*x = expression`, without the semicolon. */
  storeThrough(): void {
    this.lexer.expect('*');
    const { address, order } = this.access();
    this.lexer.expect('=');
    this.func.store(address, this.value(), order);
  }

  /** A call. As a statement it may have no value. */
  call(isStatement: boolean): Operand | undefined {
    const { lexer, func } = this;
    const start = lexer.expectName('a function');
    const isExplicit = start.text.endsWith('_explicit');
    const name = isExplicit ? start.text.slice(0, -'_explicit'.length) : start.text;
    const isVoid = name === 'atomic_store' || name === 'atomic_thread_fence';
    if (isVoid && !isStatement) lexer.fail('an expression with a value', start);
    lexer.expect('(');
    const order = (among: readonly Order[]): Order => (isExplicit ? this.order(among) : 'seq_cst');
    const dest = func.register('', 'i32');
    if (name === 'atomic_thread_fence' && !isExplicit) {
      const fence = this.lastOrder(ALL);
      if (fence !== 'relaxed') func.fence(fence as FenceOrder);
    } else if (name === 'atomic_load') {
      const address = this.pointer();
      func.load(dest, address, order(LOADS));
    } else if (name === 'atomic_store') {
      const address = this.pointer();
      const value = this.argument();
      func.store(address, value, order(STORES));
    } else if (Object.hasOwn(FETCHES, name)) {
      const address = this.pointer();
      const value = this.argument();
      func.rmw(FETCHES[name]!, dest, address, value, order(ALL));
    } else if (name === 'atomic_compare_exchange_strong' || name === 'atomic_compare_exchange_weak') {
      this.compareExchange(dest, isExplicit);
    } else lexer.fail("C11's atomic operations on ints; other functions are unsupported", start);
    lexer.expect(')');
    return isVoid ? undefined : reg(dest);
  }

  private argument(): Operand {
    this.lexer.expect(',');
    return this.value();
  }

  /** The expected value is in a variable, `&r`, or in memory; a failure stores the value found there. */
  private compareExchange(dest: Dest, isExplicit: boolean): void {
    const { lexer, func } = this;
    const address = this.pointer();
    lexer.expect(',');
    const [old, success, expected] = [func.register('', 'i32'), func.register('', 'i1'), func.register('', 'i32')];
    let variable: Dest | undefined;
    let memory: { readonly address: Operand; readonly order: Order } | undefined;
    if (lexer.accept('&')) {
      const name = lexer.expectName('a variable');
      variable = this.variables.get(name.text);
      if (variable === undefined) return lexer.fail('a variable that is declared above', name);
      func.move(expected, variable);
    } else {
      memory = this.access();
      func.load(expected, memory.address, memory.order);
    }
    const desired = this.argument();
    const order = isExplicit ? this.order(ALL) : 'seq_cst';
    const failure = isExplicit ? this.order(LOADS) : 'seq_cst';
    func.cmpxchg(old, success, address, expected, desired, order, failure);
    if (variable !== undefined) func.select(variable, reg(success), expected, old);
    else {
      const [fails, end] = [func.block('fails'), func.block('end')];
      func.branch(reg(success), end, fails);
      func.startBlock(fails);
      func.store(memory!.address, old, memory!.order);
      func.jump(end);
      func.startBlock(end);
    }
    func.cast('zext', dest, reg(success));
  }

  private order(among: readonly Order[]): Order {
    this.lexer.expect(',');
    return this.lastOrder(among);
  }

  private lastOrder(among: readonly Order[]): Order {
    const name: Piece = this.lexer.expectName('a memory order');
    const order = Object.hasOwn(ORDERS, name.text) ? ORDERS[name.text]! : undefined;
    if (order === undefined || !among.includes(order)) {
      const names = Object.keys(ORDERS).filter((key) => among.includes(ORDERS[key]!));
      this.lexer.fail(`a memory order: ${names.join(', ')}`, name);
    }
    return order;
  }
}
