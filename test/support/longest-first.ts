/** Starts the longest test files first, so that no worker is left with one of them at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first: see the report of the slowest files. */
const LONG = [
  'test/fuzz/fuzz.test.ts',
  'test/waiting.test.ts',
  'test/recording/programs.test.ts',
  'test/cxx/library.test.ts',
  'test/fix/sources.test.ts',
  'test/cxx/exceptions.test.ts',
  'test/programs.test.ts',
  'src/frontend/llvm/clang/clang.test.ts',
  'test/generated-programs.test.ts',
  'test/workers.test.ts',
  'test/nidhugg.test.ts',
  'test/cxx/twins.test.ts',
  'test/viewer/serve.test.ts',
  'test/viewer/kinds.test.ts',
  'test/commuting.test.ts',
  'test/experiments.test.ts',
  'test/cli/record.test.ts',
  'test/c/manual.test.ts',
  'test/cli/outsiders.test.ts',
  'test/graph/generated-c.test.ts',
  'test/c/wide.test.ts',
  'test/cxx/driver.test.ts',
  'test/cxx/programs.test.ts',
  'test/cxx/fix.test.ts',
  'test/cxx/pointers.test.ts',
  'test/cluster.test.ts',
  'test/docs.test.ts',
  'test/report/golden.test.ts',
  'test/cli/hunt.test.ts',
  'test/cli/litmus.test.ts',
  'test/generated.test.ts',
  'test/cli/start.test.ts',
  'test/recording/order.test.ts',
  'src/frontend/llvm/clang/headers.test.ts',
  'test/monitors/damaged.test.ts',
  'test/c/scanning.test.ts',
  'test/recipes.test.ts',
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
