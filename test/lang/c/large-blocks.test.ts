/** Blocks too large for any machine. */
import { expect, it } from 'vitest';
import { check, compileC, verdict } from '../../support/c.ts';

it.each([undefined, 'i686'] as const)(
  'blocks too large for any machine are not allocated (target %s)',
  async (target) => {
    const text = `#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  void *p = malloc(8);
  assert(!malloc((size_t)-1) && errno == ENOMEM && !malloc(PTRDIFF_MAX) && !calloc((size_t)-1, 8) && !calloc(1, (size_t)-1));
  assert(!realloc(p, (size_t)-1) && !aligned_alloc(64, (size_t)-64));
  free(p);
}
`;
    const program = await compileC(text, target === undefined ? {} : { target });
    expect(verdict(check(program, 'sc'))).toBe('verified');
  },
);

it('large blocks that some machine may have are not modelled', async () => {
  const program = await compileC('#include <stdlib.h>\nint main(void) { free(malloc(1ul << 32)); }\n');
  expect(check(program, 'sc').bounds).toEqual([expect.stringContaining('a block of 2 GiB or more')]);
});
