/** Starts the longest test files first, so that no worker is left with one of them at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first: see the report of the slowest files. */
const LONG = [
  'test/fuzz/fuzz.test.ts',
  'test/search/reductions/waiting.test.ts',
  'test/commands/record/programs.test.ts',
  'test/lang/cxx/library.test.ts',
  'test/commands/fix/sources.test.ts',
  'test/lang/cxx/exceptions.test.ts',
  'test/programs/programs.test.ts',
  'src/frontend/llvm/clang/clang.test.ts',
  'test/machine/generated-programs.test.ts',
  'test/search/dividing/workers.test.ts',
  'test/programs/nidhugg.test.ts',
  'test/lang/cxx/twins.test.ts',
  'test/commands/serve/serve.test.ts',
  'test/viewer/kinds.test.ts',
  'test/search/reductions/commuting.test.ts',
  'test/programs/experiments.test.ts',
  'test/commands/record/record.test.ts',
  'test/lang/c/manual.test.ts',
  'test/commands/outsiders.test.ts',
  'test/search/graphs/generated-c.test.ts',
  'test/lang/c/wide.test.ts',
  'test/lang/cxx/driver.test.ts',
  'test/lang/cxx/programs.test.ts',
  'test/lang/cxx/fix.test.ts',
  'test/lang/cxx/pointers.test.ts',
  'test/search/dividing/cluster.test.ts',
  'test/text/docs.test.ts',
  'test/text/golden.test.ts',
  'test/commands/hunt/hunt.test.ts',
  'test/commands/litmus/litmus.test.ts',
  'test/machine/generated.test.ts',
  'test/commands/start.test.ts',
  'test/commands/record/order.test.ts',
  'src/frontend/llvm/clang/headers.test.ts',
  'test/monitors/damaged.test.ts',
  'test/lang/c/scanning.test.ts',
  'test/package/recipes.test.ts',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // A worker ends when the next file belongs to another project, so files are grouped by project, and the largest
    // project comes last.
    const isLargest = ({ project }: TestSpecification): boolean => project.name === 'native';
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? LONG.length : index;
    };
    return sorted.sort(
      (a, b) =>
        Number(isLargest(a)) - Number(isLargest(b)) ||
        a.project.name.localeCompare(b.project.name, 'en') ||
        rank(a) - rank(b),
    );
  }
}
