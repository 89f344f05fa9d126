/** Tests in C: what is accepted, and what is rejected where. */
import { describe, expect, it } from 'vitest';
import { LitmusError } from './error.ts';
import { parseLitmus } from './litmus.ts';

const parse = (body: string, ending = '', parameters = 'atomic_int* x, int* y') =>
  parseLitmus(`C test\n{ [x] = 0; }\nP0 (${parameters}) {\n${body}\n}\n${ending}`, 'test.litmus');

describe('statements', () => {
  it.each([
    ['int r0 = 1 + 2 * 3 == 7 && !(4 < 3) || -1 != ~0;'],
    ['/* one */ int r0; // two\n r0 = (*y);'],
    ['*y = *y + 1; *x = 2;'],
    ['if (*x) { *y = 1; } else if (*y) *y = 2; else ;'],
    ['int r0 = atomic_load(x); atomic_store(x, r0 + 1); atomic_exchange_explicit(x, 2, memory_order_acq_rel);'],
    ['int e = 0; int r = atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_release, memory_order_acquire);'],
    ['atomic_compare_exchange_strong(x, y, 1);'],
    ['atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_relaxed);'],
  ])('are read: %s', (body) => {
    expect(parse(body).program.roots).toHaveLength(1);
  });

  it('access what is atomic with seq_cst, as C says', () => {
    const [func] = parse('int r0 = *x; *x = 1; r0 = *y; *y = 1;').program.functions;
    const orders = func!.blocks.flatMap(({ body }) =>
      body.flatMap((i) => ('order' in i ? [`${i.op} ${i.order}`] : [])),
    );
    expect(orders).toEqual(['load seq_cst', 'store seq_cst', 'load plain', 'store plain']);
  });
});

describe('a test in C is refused', () => {
  it.each([
    [
      'int r0 = atomic_load_explicit(x, memory_order_release);',
      '4:34: found "memory_order_release", expected a memory order',
    ],
    [
      'int r0 = atomic_load_explicit(x, memory_order_consume);',
      '4:34: found "memory_order_consume", expected a memory order',
    ],
    ['int r0 = atomic_load(y);', '4:22: found "y", expected a pointer to an atomic type'],
    ['int r0 = READ_ONCE(*x);', '4:10: found "READ_ONCE", expected C11\'s atomic operations'],
    ['r0 = 1;', '4:1: found "r0", expected a variable that is declared above'],
    ['int r0 = x;', '4:10: found "x", expected *x or an atomic operation'],
    ['int r0 = 0; int r0 = 1;', '4:17: found "r0", expected another name'],
    ['long long r0 = 0;', '4:1: found "long", expected the type int'],
    ['while (1) ;', '4:1: found "while", expected'],
    ['int r0 = *x && *y;', '4:13: found "&&", expected no access to memory on the right'],
    ['int r0 = 1', '5:1: found "}", expected ";"'],
    ['int r0 = 4294967295;', '4:10: found "4294967295", expected a number that fits into an int'],
    ['int r0 = atomic_store(x, 1);', '4:10: found "atomic_store", expected an expression with a value'],
  ])('for %s', (body, message) => {
    expect(() => parse(body)).toThrow(LitmusError);
    expect(() => parse(body)).toThrow(message);
  });

  it('for other names and types', () => {
    expect(() => parse('int r0 = 1;', 'exists (0:r1=1)')).toThrow('expected a variable of thread 0');
    expect(() => parse('', '', 'atomic_llong* x')).toThrow('expected a parameter such as atomic_int *x or int *x');
    expect(() => parse('', '', 'int x')).toThrow('the parameters are pointers to the locations');
    expect(() => parseLitmus('C t\n{ int64_t x; }\nP0 (int* x) { }', 't')).toThrow(
      'a location of type int or atomic_int',
    );
    expect(() => parseLitmus('C t\n{ 0:r0=1; }\nP0 (int* x) { }', 't')).toThrow('expected a location');
    expect(() => parseLitmus('C t\n{}\nP0 (int* x) { *x = 1;', 't')).toThrow('expected "}"');
    expect(() => parseLitmus('C t\n{}\nP1 (int* x) { }', 't')).toThrow('expected "P0"');
  });
});
