import { describe, expect, it } from 'vitest';
import { findOrders, type NewOrders, spellFence } from './orders.ts';
import { applyEdits } from './text.ts';
import { tokenize } from './tokens.ts';

/** The text with these orders, and where clang says that the call is. */
function respelled(text: string, orders: NewOrders): readonly [string, number] {
  const [written] = findOrders(tokenize(text).tokens);
  return [applyEdits(text, written!.respell(orders, 'cxx')), written!.call];
}

describe('orders of C++', () => {
  it.each([
    ['x.store(1, std::memory_order_relaxed);', { order: 'release' }, 'x.store(1, std::memory_order_release);', 2],
    ['p->load(std::memory_order::relaxed);', { order: 'acquire' }, 'p->load(std::memory_order::acquire);', 3],
    ['x.load(memory_order_relaxed);', { order: 'acquire' }, 'x.load(memory_order_acquire);', 2],
    ['x.load();', { order: 'acquire' }, 'x.load(std::memory_order_acquire);', 2],
    ['a[i].fetch_add(f(1, 2));', { order: 'relaxed' }, 'a[i].fetch_add(f(1, 2), std::memory_order_relaxed);', 5],
    [
      'x.compare_exchange_weak(e, d, std::memory_order_relaxed, std::memory_order_relaxed);',
      { order: 'release', failureOrder: 'acquire' },
      'x.compare_exchange_weak(e, d, std::memory_order_release, std::memory_order_acquire);',
      2,
    ],
    [
      'x.compare_exchange_strong(e, d);',
      { order: 'release', failureOrder: 'relaxed' },
      'x.compare_exchange_strong(e, d, std::memory_order_release, std::memory_order_relaxed);',
      2,
    ],
    ['flag.clear(std::memory_order_relaxed);', { order: 'release' }, 'flag.clear(std::memory_order_release);', 5],
    [
      'std::atomic_store_explicit(&x, 1, std::memory_order_relaxed);',
      { order: 'release' },
      'std::atomic_store_explicit(&x, 1, std::memory_order_release);',
      0,
    ],
  ] as const)('are found and replaced in %s', (text, orders, after, call) => {
    expect(respelled(text, orders)).toEqual([after, call]);
  });

  it.each(['x.store(1, ORDER);', 'v.push_back(std::memory_order_relaxed);', 'store(1, std::memory_order_relaxed);'])(
    'are not looked for in %s',
    (text) => {
      expect(findOrders(tokenize(text).tokens)).toEqual([]);
    },
  );

  it('are those of fences, too', () => {
    expect(spellFence('release', 'cxx')).toBe('std::atomic_thread_fence(std::memory_order_release);');
  });
});
