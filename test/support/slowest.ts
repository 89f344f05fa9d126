/** A reporter that says what was left out, and lists the slowest files: full runs reveal a test that has become slow. */
import type { Reporter, TestModule } from 'vitest/node';
import { LEFT_OUT, PUSH_ONLY } from '../tiers.ts';
import { DEEP, SEED } from './tier.ts';

const SHOWN = 20;
/** Seconds. On an idle machine no file takes this long; CI shows a warning, and the run still passes. */
const LIMIT = 180;

export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (DEEP) console.log(`\nTEST_SEED=${SEED}: npm run test:deep -- --seed ${SEED} runs the same again`);
    if (modules.length < 2) return;
    if (LEFT_OUT.length > 0) {
      const reasons = [...new Set(Object.values(PUSH_ONLY))].join('; ');
      console.log(`\nThe quick tier leaves out (npm run test:push has all of it): ${reasons}`);
    }
    const files = modules.map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }));
    const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
    console.log(`\nSlowest of ${files.length} files, ${all.toFixed(0)} s in all:`);
    const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
    if (process.env['GITHUB_ACTIONS'] !== 'true') return;
    for (const { name, seconds } of slowest.filter((file) => file.seconds > LIMIT))
      console.log(`::warning file=${name}::took ${seconds.toFixed(0)} s; the limit is ${LIMIT} s`);
  }
}

function secondsOf(module: TestModule): number {
  const { duration, collectDuration } = module.diagnostic();
  return (duration + collectDuration) / 1000;
}
