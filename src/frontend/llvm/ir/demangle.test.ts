import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { nameOfFunction, nameOfType, nameOfVariable, shortened } from './cxx-names.ts';
import { demangle } from './demangle.ts';

/** What `c++filt -p` prints; compared with it where it is installed. */
const NAMES: Readonly<Record<string, string>> = {
  _Z4mainv: 'main',
  _ZN5QueueIiE4pushEi: 'Queue<int>::push',
  _ZN5QueueIiEC2Ev: 'Queue<int>::Queue',
  _ZN5QueueIiED0Ev: 'Queue<int>::~Queue',
  _ZNK1AcvbEv: 'A::operator bool',
  _ZN1QIiEpLEi: 'Q<int>::operator+=',
  _ZNK1QIiEltERKS0_: 'Q<int>::operator<',
  _ZNO1QIiEclEi: 'Q<int>::operator()',
  _ZN1QIiE4convIlEET_S2_: 'Q<int>::conv<long>',
  _ZN12_GLOBAL__N_12An1fEPFiiERA3_iMS0_iMS0_KFviE: '(anonymous namespace)::An::f',
  _ZN3TupILi3EJiPcRKNSt3__212basic_stringIcEEEE1nEiS1_S6_: 'Tup<3, int, char*, std::__2::basic_string<char> const&>::n',
  _ZN3TupILin2EJEE1nEv: 'Tup<-2>::n',
  _Z2enIL1E1EEiv: 'en<(E)1>',
  _Z1fILb1ELj4ELm5EEvv: 'f<true, 4u, 5ul>',
  _ZNSt3__28functionIFiiPKcEEC2Ev: 'std::__2::function<int (int, char const*)>::function',
  _ZN1AIPFvvEE1fEv: 'A<void (*)()>::f',
  _ZN1AIM1BKFiiEE1fEv: 'A<int (B::*)(int) const>::f',
  _ZN1AIM1BiE1fEv: 'A<int B::*>::f',
  _ZN1AIA3_iE1fEv: 'A<int [3]>::f',
  _ZN1AIPA3_iE1fEv: 'A<int (*) [3]>::f',
  _ZTI1A: 'typeinfo for A',
  _ZTV1A: 'vtable for A',
  _ZTIPKc: 'typeinfo for char const*',
  _ZNSaIcED1Ev: 'std::allocator<char>::~allocator',
  _ZSt9terminatev: 'std::terminate',
  _ZZ4mainE4seen: 'main::seen',
  _ZN1BIiE1gIJicEEEvDpT_: 'B<int>::g<int, char>',
};

/** Conditions on template arguments, which users never pass, are not shown. */
const CONDITIONAL: Readonly<Record<string, string>> = {
  _ZN5QueueIiE4pushIlTnNSt3__29enable_ifIXsr11is_integralIT_EE5valueEiE4typeELi0EEEvS4_: 'Queue<int>::push<long>',
  _ZNSt3__211make_sharedB9sqe220100IiJiETnNS_9enable_ifIXntsr8is_arrayIT_EE5valueEiE4typeELi0EEENS_10shared_ptrIS2_EEDpOT0_:
    'std::__2::make_shared<int, int>',
  _ZN1AC1IJiES_TnNSt3__29enable_ifIXntsr7is_sameINT0_10value_typeE1BEE5valueEiE4typeELi0EEES_DpOT_: 'A::A<int, A>',
  _Z1fIiTnNSt3__29enable_ifIXaasr1aIT_EE5valuegtstS2_Li0EEiE4typeELi0EEvS2_: 'f<int>',
  _Z1fIXLi1EEEvv: 'f<…>',
};

it.each(Object.entries(CONDITIONAL))('reads %s', (symbol, name) => {
  expect(demangle(symbol)).toBe(name);
});

it('does not read what depends on an expression that it skipped', () => {
  // S3_ refers into the expression.
  expect(demangle('_ZN1AIXsr1BI1CEE1vEE1fI1DS3_EEvv')).toBeUndefined();
});

it.each(Object.entries(NAMES))('reads %s', (symbol, name) => {
  expect(demangle(symbol)).toBe(name);
});

it.each(['main', '_Z', '_ZN1A', '_Z1fIX_EEvv', '_ZN3$$', '_Z99x', '_ZS_', '_ZT_'])(
  'has no other name for %s',
  (symbol) => {
    expect(demangle(symbol)).toBeUndefined();
  },
);

it('agrees with c++filt', ({ skip }) => {
  for (const filter of ['llvm-cxxfilt-19', 'llvm-cxxfilt', 'c++filt']) {
    let text: string;
    try {
      text = execFileSync(filter, ['-p'], { input: `${Object.keys(NAMES).join('\n')}\n` }).toString();
    } catch {
      continue;
    }
    // GNU's version prints other spaces and suffixes.
    if (filter === 'c++filt') return;
    expect(text.trim().split('\n')).toEqual(Object.values(NAMES));
    return;
  }
  skip();
});

it('reads thunks', () => {
  expect(demangle('_ZThn8_N1A1fEv')).toBe('non-virtual thunk to A::f');
});

it('calls closures by their line', () => {
  expect(nameOfFunction('_ZZ4mainENK3$_0clEv', 'operator()', 7)).toBe('main::lambda in line 7');
  expect(nameOfFunction('_ZZN1A1fEvENKUliE_clEi', 'operator()', 9)).toBe('A::f::lambda in line 9');
  expect(nameOfFunction('_Z3runIZ4mainE3$_0EvT_', 'run', 3)).toBe('run<main::lambda>');
});

it('has no other name for functions of C, and that of the source where it reads none', () => {
  expect(nameOfFunction('worker', 'worker', 3)).toBeUndefined();
  expect(nameOfFunction('_Z1fIX_EEvv', 'f', 3)).toBe('f');
});

it('is short', () => {
  const vector =
    'std::__2::vector<std::__2::basic_string<char, std::__2::char_traits<char>, std::__2::allocator<char>>, std::__2::allocator<int>>';
  expect(shortened(`${vector}::at`)).toBe('std::vector<std::string>::at');
  expect(shortened('Map<Key<First, Second>, Value<Third, Fourth<Fifth, Sixth>>>::find_or_insert_somewhere')).toBe(
    'Map<Key<…>, Value<…>>::find_or_insert_somewhere',
  );
  expect(shortened('A<B>::operator<')).toBe('A<B>::operator<');
  expect(nameOfType('_ZTISt13runtime_error')).toBe('std::runtime_error');
  expect(nameOfVariable('_ZN3app5queueE')).toBe('app::queue');
  expect(nameOfVariable('plain')).toBe('plain');
});
