/** Streams of C++ that are declared: naming them is no error, using them is refused with the place. */
import { expect, it } from 'vitest';
import { check, runAlone } from '../../support/c.ts';
import { compileCxx } from '../../support/cxx.ts';

const SOURCE = `#include <iostream>
#include <sstream>
#include <fstream>
#include <iomanip>
#include <ios>
#include <complex>
inline std::string text(int x) { std::ostringstream out; out << std::setw(3) << x << std::hex << 5; return out.str(); }
void dump(const char *name) {
  std::ofstream out(name, std::ios::out | std::ios_base::trunc); if (!out) return; out << 1 << std::endl;
  std::ifstream in(name); std::string s; int k; char c; in >> s >> k >> c; while (std::getline(in, s)) {}
  std::stringstream both("x"); both << 1; both >> k;
}
int zero;
int main() {
  std::cout << "hi " << 1 << std::endl;
  int k; if (zero) { dump("x"); text(1); std::cin >> k; std::cerr << std::hex << k << std::setprecision(3) << 1.5; }
  return 0;
}
extern "C" int format() { std::cout << std::hex << 1; return 0; }
extern "C" int width() { std::cout << std::setw(3) << 1; return 0; }
extern "C" int reads() { int k; std::cin >> k; return k; }
extern "C" int files() { dump("x"); return 0; }
extern "C" int strings() { text(1); return 0; }
`;

it('streams may be included and named', async () => {
  expect(runAlone(await compileCxx(SOURCE))).toBe('hi 1\n');
});

it.each([
  ['format', 'the format std::hex', 19],
  ['width', 'the format std::setw', 20],
  ['reads', 'input from a C++ stream', 21],
  ['files', 'std::ofstream', 9],
  ['strings', 'std::ostringstream', 7],
])('%s: %s is refused when it is used', async (entry, what, line) => {
  const { verdict, bounds } = check(await compileCxx(SOURCE, { entry }), 'sc');
  expect([verdict.kind, bounds]).toEqual([
    'inconclusive',
    [expect.stringMatching(new RegExp(`not modelled \\(${what.replaceAll('+', '\\+')}, .*:${line}:\\d+\\)`))],
  ]);
});
