import { expect, it } from 'vitest';
import type { LFunction, Module } from '../ir/module.ts';
import { readModule } from '../ir/reader.ts';
import { withoutSlots } from './inlined-slots.ts';
import { withoutUnwinding } from './unwinding.ts';

const DECLARATIONS = 'declare void @use(ptr)\ndeclare i32 @may()\n';

/** The function with this body, whose slot `%s` belongs to an inlined function. */
function moduleOf(body: string): Module {
  const text = `${DECLARATIONS}define i32 @f(i32 %v, i1 %c) {\n${body}\n}\n`;
  const module = readModule(text, 'a.ll');
  const func: LFunction = {
    ...module.functions.get('f')!,
    variables: new Map([['s', { name: 'order', isInlined: true }]]),
  };
  return { ...module, functions: new Map([...module.functions, ['f', func]]) };
}

const operations = (module: Module): string =>
  module.functions
    .get('f')!
    .blocks.map(({ body }) => body.map(({ op }) => op).join(' '))
    .join(' | ');

it('replaces what was stored once', () => {
  const module = withoutSlots(
    moduleOf('%s = alloca i32\nstore i32 %v, ptr %s\nbr label %next\nnext:\n%l = load i32, ptr %s\nret i32 %l'),
  );
  expect(operations(module)).toBe('br | ret');
  expect(module.functions.get('f')!.blocks[1]!.body[0]).toMatchObject({
    value: { value: { kind: 'local', name: 'v' } },
  });
});

it.each([
  ['is loaded as another type', 'store i32 %v, ptr %s\n%l = load float, ptr %s\nret i32 0'],
  ['is stored twice', 'store i32 %v, ptr %s\nstore i32 1, ptr %s\n%l = load i32, ptr %s\nret i32 %l'],
  ['is known elsewhere', 'store i32 %v, ptr %s\ncall void @use(ptr %s)\n%l = load i32, ptr %s\nret i32 %l'],
  ['is volatile', 'store volatile i32 %v, ptr %s\n%l = load i32, ptr %s\nret i32 %l'],
  [
    'is not stored on every way',
    'br i1 %c, label %a, label %b\na:\nstore i32 %v, ptr %s\nbr label %b\nb:\n%l = load i32, ptr %s\nret i32 %l',
  ],
])('leaves what %s', (_, body) => {
  const module = moduleOf(`%s = alloca i32\n${body}`);
  expect(operations(withoutSlots(module))).toBe(operations(module));
});

it('goes on after an invoke, and leaves out what handles exceptions, if nothing throws', () => {
  const body = `%r = invoke i32 @may()
          to label %next unwind label %pad
pad:
  %e = landingpad { ptr, i32 }
          cleanup
  br label %next
next:
  %p = phi i32 [ %r, %0 ], [ 7, %pad ]
  ret i32 %p`;
  const module = withoutUnwinding(moduleOf(body), false, undefined, (name) => name);
  expect(operations(module)).toBe('call br | phi ret');
  expect(module.functions.get('f')!.blocks[1]!.body[0]).toMatchObject({ incoming: [{ value: { name: 'r' } }] });
});
