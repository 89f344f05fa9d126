/** The features that programs should combine, and which of them a program has. */
import {
  blocksOf,
  type FuzzProgram,
  type How,
  type Place,
  type Statement,
  unknown,
  type Wait,
  walkProgram,
} from './ast.ts';

export const FEATURES = [
  // sizes
  'size 1',
  'size 2',
  'size 4',
  'size 8',
  'mixed sizes',
  'misaligned',
  // orders, of anything
  'plain',
  'volatile',
  'relaxed',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
  'rmw',
  'rmw unused',
  'cas strong',
  'cas weak',
  'cas carried',
  'fence full',
  'fence release',
  'fence acquire',
  'asm',
  'asm operands',
  'asm locked',
  'asm unlocked',
  'asm cmpxchg',
  'lock',
  'trylock',
  'timedlock',
  'wrong unlock',
  'cond wait',
  'cond timedwait',
  'signal',
  'broadcast',
  'rwlock',
  'rwlock try',
  'rwlock clock',
  'sem wait',
  'sem post',
  'sem try',
  'barrier',
  'spin lock',
  'once',
  'nested create',
  'unjoined',
  'detached',
  'exit',
  'pthread_exit',
  'early return',
  'abort',
  'assert',
  'tls',
  'malloc',
  'free',
  'escape',
  'spin',
  'spin do',
  'spin nested',
  'spin two flags',
  'spin validated',
  'spin rmw',
  'if',
  'choose',
  'assume',
  'section',
  'repeat',
] as const;

export type Feature = (typeof FEATURES)[number];

export function featuresOf(program: FuzzProgram): ReadonlySet<Feature> {
  const found = new Set<Feature>();
  const sizes = new Map<number, Set<number>>();
  const place = (p: Place): void => {
    found.add(`size ${p.size}`);
    if (p.offset % p.size !== 0) found.add('misaligned');
    sizes.set(p.union, (sizes.get(p.union) ?? new Set()).add(p.size));
  };
  walkProgram(program, (s, thread) => {
    for (const feature of ofStatement(s, thread)) found.add(feature);
    if ('place' in s) place(s.place);
    if (s.op === 'wait') {
      if ('place' in s.wait) place(s.wait.place);
      else [s.wait.first, s.wait.second].forEach(place);
    }
  });
  if ([...sizes.values()].some((used) => used.size > 1)) found.add('mixed sizes');
  program.threads.forEach((body) => {
    for (const s of body) {
      if (s.op !== 'create') continue;
      const isJoined = body.some((other) => other.op === 'join' && other.thread === s.thread);
      const isDetached = [...body, ...program.threads[s.thread]!].some(
        (other) => other.op === 'detach' && other.thread === s.thread,
      );
      if (isDetached) found.add('detached');
      else if (!isJoined) found.add('unjoined');
    }
  });
  return found;
}

function* ofStatement(s: Statement, thread: number): Generator<Feature> {
  if ('how' in s && s.op !== 'locked' && s.op !== 'end') yield s.how satisfies How;
  if ('order' in s && s.op !== 'fence') yield s.order;
  if ('failure' in s) yield s.failure;
  switch (s.op) {
    case 'rmw':
      return yield s.to < 0 ? 'rmw unused' : 'rmw';
    case 'cas':
      return yield s.weak ? 'cas weak' : 'cas strong';
    case 'casLoop':
      yield s.weak ? 'cas weak' : 'cas strong';
      return yield 'cas carried';
    case 'fence':
      if (s.order === 'seq_cst') return yield 'fence full';
      return yield s.order === 'acquire' ? 'fence acquire' : 'fence release';
    case 'asm':
      return yield 'asm';
    case 'asmKeep':
      return yield 'asm operands';
    case 'asmTouch':
      if (s.form === 'register') yield 'plain';
      return yield 'asm operands';
    case 'asmLocked':
      return yield 'asm locked';
    case 'asmPlain':
      return yield 'asm unlocked';
    case 'asmCas':
      return yield 'asm cmpxchg';
    case 'locked':
      return yield s.how;
    case 'unlock':
      return yield 'wrong unlock';
    case 'await':
      return yield s.timed ? 'cond timedwait' : 'cond wait';
    case 'notify':
      return yield s.all ? 'broadcast' : 'signal';
    case 'rwlocked':
      return yield s.call === 'lock' ? 'rwlock' : `rwlock ${s.call}`;
    case 'post':
      return yield 'sem post';
    case 'down':
      return yield 'sem wait';
    case 'tryDown':
      return yield 'sem try';
    case 'barrier':
    case 'once':
    case 'assert':
    case 'tls':
    case 'malloc':
    case 'free':
    case 'escape':
    case 'if':
    case 'choose':
    case 'assume':
    case 'section':
    case 'repeat':
      return yield s.op;
    case 'spinLocked':
      return yield 'spin lock';
    case 'create':
      if (thread > 0) yield 'nested create';
      return;
    case 'end':
      return yield s.how === 'return' ? 'early return' : s.how;
    case 'validated':
      return yield 'spin validated';
    case 'wait': {
      if (s.form === 'do') yield 'spin do';
      if (blocksOf(s)[0]!.some((inner) => inner.op === 'wait')) yield 'spin nested';
      return yield* ofWait(s.wait);
    }
    // Their orders are handled above, the fate of their threads in `featuresOf`.
    case 'load':
    case 'store':
    case 'usePointer':
    case 'join':
    case 'detach':
      return;
    default:
      return unknown(s);
  }
}

function* ofWait(wait: Wait): Generator<Feature> {
  switch (wait.kind) {
    case 'zero':
      return yield 'spin';
    case 'either':
    case 'both':
      return yield 'spin two flags';
    case 'exchange':
      yield wait.order;
      return yield 'spin rmw';
    case 'cas':
      yield wait.order;
      yield wait.failure;
      yield wait.weak ? 'cas weak' : 'cas strong';
      return yield 'spin rmw';
    default:
      return unknown(wait);
  }
}

/** Present in at least one program in five without being requested. */
const COMMON: ReadonlySet<Feature> = new Set<Feature>([
  'size 1',
  'size 2',
  'size 4',
  'size 8',
  'mixed sizes',
  'plain',
  'volatile',
  'relaxed',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
  'rmw',
  'rmw unused',
  'cas strong',
  'cas weak',
  'fence full',
  'fence release',
  'if',
]);
const RARE: readonly Feature[] = FEATURES.filter((feature) => !COMMON.has(feature));

/** Features in triples, so that every two rare ones occur together in some triple. */
export const THREES: readonly (readonly [Feature, Feature, Feature])[] = makeThrees();

/** Takes each pair that is still missing, and the third feature that adds the most pairs. */
function makeThrees(): [Feature, Feature, Feature][] {
  const together = new Set<string>();
  const key = (a: Feature, b: Feature): string => [a, b].sort().join();
  const isMissing = (a: Feature, b: Feature): boolean => a !== b && !together.has(key(a, b));
  const threes: [Feature, Feature, Feature][] = [];
  for (const a of RARE) {
    for (const b of RARE) {
      if (!isMissing(a, b)) continue;
      const others = RARE.filter((c) => c !== a && c !== b);
      const gain = (c: Feature): number => Number(isMissing(a, c)) + Number(isMissing(b, c));
      const c = others.reduce((best, other) => (gain(other) > gain(best) ? other : best));
      for (const [x, y] of [
        [a, b],
        [a, c],
        [b, c],
      ] as const)
        together.add(key(x, y));
      threes.push([a, b, c]);
    }
  }
  return threes;
}

/** All pairs, in a fixed order. */
export const PAIRS: readonly (readonly [Feature, Feature])[] = FEATURES.flatMap((a, i) =>
  FEATURES.slice(i + 1).map((b): readonly [Feature, Feature] => [a, b]),
);
