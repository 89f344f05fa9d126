/** Shrinks a program while it still shows the disagreement. */
import { type Body, blocksOf, type FuzzProgram, type Place, type Statement, walk, withBlocks } from './ast.ts';

/** The smallest program found that is still `bad`; each candidate is tried once. */
export async function shrink(
  program: FuzzProgram,
  isBad: (candidates: readonly FuzzProgram[]) => Promise<number>,
  maxRounds: number = 60,
): Promise<FuzzProgram> {
  let best = program;
  const tried = new Set<string>();
  for (let round = 0; round < maxRounds; round++) {
    const candidates = [...smaller(best)].map(tidy).filter((candidate) => {
      const key = JSON.stringify(candidate);
      return !tried.has(key) && tried.add(key) !== undefined && weight(candidate) < weight(best);
    });
    if (candidates.length === 0) break;
    const first = await isBad(candidates);
    if (first < 0) break;
    best = candidates[first]!;
  }
  return best;
}

function weight(program: FuzzProgram): number {
  return JSON.stringify(program).length;
}

function* smaller(program: FuzzProgram): Generator<FuzzProgram> {
  // Whole threads first.
  for (let t = program.threads.length - 1; t > 0; t--)
    yield { ...program, threads: program.threads.map((body, i) => (i === t ? [] : body)) };
  for (const [t, body] of program.threads.entries()) {
    for (const other of smallerBody(body))
      yield { ...program, threads: program.threads.map((b, i) => (i === t ? other : b)) };
  }
  for (const once of smallerBody(program.once)) yield { ...program, once };
  if (program.semaphore > 0) yield { ...program, semaphore: 0 };
}

function* smallerBody(body: Body): Generator<Body> {
  for (let i = 0; i < body.length; i++) yield [...body.slice(0, i), ...body.slice(i + 1)];
  for (const [i, statement] of body.entries()) {
    const put = (...others: readonly Statement[]): Body => [...body.slice(0, i), ...others, ...body.slice(i + 1)];
    for (const block of blocksOf(statement)) if (block.length > 0) yield put(...block);
    const blocks = blocksOf(statement);
    for (const [b, block] of blocks.entries()) {
      for (const other of smallerBody(block))
        yield put(
          withBlocks(
            statement,
            blocks.map((old, j) => (j === b ? other : old)),
          ),
        );
    }
    for (const simpler of simplerStatements(statement)) yield put(simpler);
  }
}

/** Simpler variants of a statement: shorter as text. */
function* simplerStatements(s: Statement): Generator<Statement> {
  if ('how' in s && s.op !== 'locked' && s.op !== 'end' && s.how !== 'plain') yield { ...s, how: 'plain' } as Statement;
  if ('order' in s && s.order !== 'relaxed') yield { ...s, order: 'relaxed' } as Statement;
  if ('failure' in s && s.failure !== 'relaxed') yield { ...s, failure: 'relaxed' } as Statement;
  if ('value' in s && typeof s.value === 'object') {
    if (s.value.reg >= 0 || s.value.high !== 0)
      yield { ...s, value: { reg: -1, low: s.value.low, high: 0 } } as Statement;
    if (s.value.low > 9) yield { ...s, value: { ...s.value, low: 1 } } as Statement;
  }
  if (s.op === 'cas' || s.op === 'asmCas') {
    if (s.desired.reg >= 0 || s.desired.high !== 0) yield { ...s, desired: { reg: -1, low: s.desired.low, high: 0 } };
    if (s.desired.low > 9) yield { ...s, desired: { ...s.desired, low: 1 } };
  }
  if (s.op === 'locked' && s.how !== 'lock') yield { ...s, how: 'lock' };
  if ('place' in s && s.place.size !== 4) {
    const place: Place = { union: s.place.union, offset: s.place.offset & 4, size: 4 };
    yield { ...s, place } as Statement;
  }
}

/** Without threads that are never created, and without operations on missing threads. */
function tidy(program: FuzzProgram): FuzzProgram {
  const { threads } = program;
  const isEmpty = (t: number): boolean => threads[t]!.length === 0;
  const created = new Set([0]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const t of created) {
      for (const s of threads[t]!) {
        if (s.op !== 'create' || created.has(s.thread) || isEmpty(s.thread)) continue;
        created.add(s.thread);
        grown = true;
      }
    }
  }
  const kept = [...created].sort((a, b) => a - b);
  const number = new Map(kept.map((t, i) => [t, i]));
  const bodies = kept.map((t) =>
    threads[t]!.flatMap((s, i): Statement[] => {
      if (s.op !== 'create' && s.op !== 'join' && s.op !== 'detach') return [s];
      const other = number.get(s.thread);
      const isCreated =
        s.op === 'create' ||
        (s.op === 'detach' && s.thread === t) ||
        threads[t]!.slice(0, i).some((c) => c.op === 'create' && c.thread === s.thread);
      return other === undefined || !isCreated ? [] : [{ ...s, thread: other }];
    }),
  );
  let usesOnce = false;
  for (const body of bodies) walk(body, (s) => (usesOnce ||= s.op === 'once'));
  return { ...program, threads: bodies, once: usesOnce ? program.once : [] };
}
