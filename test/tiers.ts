/**
 * What the quick tier leaves out, and why. All else belongs to every tier, with ten samples of each property: a new
 * test file is in the quick tier unless it is named here. `test/sources/tiers.test.ts` keeps this list true.
 */
import { QUICK } from './support/tier.ts';

const CORPUS = 'many C or C++ programs';
const BROWSER = 'needs a Chromium';
const COMPILER = 'needs a native compiler';
const STARTS = 'starts the command dozens of times';
const LARGE = 'large searches, whose small ones are in the files beside it';

/** Patterns of files, with the reason. */
export const PUSH_ONLY: Readonly<Record<string, string>> = {
  'test/lang/{c,cxx}/*.test.ts': CORPUS,
  'test/programs/{programs,nidhugg,experiments,examples}.test.ts': CORPUS,
  'test/machine/generated-programs.test.ts': CORPUS,
  'test/monitors/pipeline.test.ts': CORPUS,
  'test/commands/fix/{advice-programs,programs,sources,odd-sources,known-answers,language}.test.ts': CORPUS,
  'test/commands/hunt/{truth,table,no-false-alarm}.test.ts': CORPUS,
  'test/search/graphs/{classics,litmus-c,generated-c,lifetimes,c-programs}.test.ts': CORPUS,
  'test/search/strategies/c-programs.test.ts': CORPUS,
  'test/fuzz/regressions.test.ts': CORPUS,
  'test/text/{docs,shrink}.test.ts': CORPUS,
  'test/viewer/{page,kinds,steps,playground}.test.ts': BROWSER,
  'test/commands/serve/serve.test.ts': BROWSER,
  'test/commands/record/*.test.ts': COMPILER,
  'test/package/recipes.test.ts': COMPILER,
  'test/search/dividing/cluster.test.ts': 'needs Redis',
  'test/{search/reductions/polling,program/pauses-cxx}.test.ts': CORPUS,
  'test/commands/{outsiders,start,flags}.test.ts': STARTS,
  'test/search/dividing/workers.test.ts': 'starts threads for dozens of searches; jobs in any order are beside it',
  'test/machine/copied-models.test.ts': 'every command once more, under models by other names',
  'test/commands/hunt/pslo.test.ts': LARGE,
  'src/frontend/llvm/clang/shipped-library.test.ts': 'compiles the whole library',
  'test/commands/faults/timeout.test.ts': 'waits for ten seconds, twice',
  'test/search/strategies/{scale,long}.test.ts': LARGE,
  'test/search/reductions/awaits.test.ts': LARGE,
  'src/frontend/llvm/clang/{clang,headers}.test.ts': 'starts clang hundreds of times',
};

/** What vitest leaves out in this tier. */
export const LEFT_OUT: readonly string[] = QUICK ? Object.keys(PUSH_ONLY) : [];
