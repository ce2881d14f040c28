// The configuration of Stryker for one module of src/; run.mjs names it and the sample in the environment.
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

const module = process.env.UPKEEP_MUTATED ?? 'ids'
const packages = createRequire(import.meta.url)
const reports = 'build/mutation'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [`src/${module}/**/*.ts`],
  plugins: [packages.resolve('@stryker-mutator/vitest-runner'), resolve(import.meta.dirname, 'sample.mjs')],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  checkers: ['sample'],
  coverageAnalysis: 'perTest',
  // Those that run once, when a module is loaded, take a run of all tests each.
  ignoreStatic: true,
  // Many mutants leave a test waiting, which takes no processor time.
  concurrency: 2 * availableParallelism(),
  timeoutMS: 10_000,
  incremental: true,
  incrementalFile: `${reports}/${module}-incremental.json`,
  jsonReporter: { fileName: `${reports}/${module}.json` },
  reporters: ['json', 'progress-append-only'],
  ignorePatterns: [
    '/dist',
    '/build',
    '/bench',
    '/docs/images',
    '/test/applications',
    '/test/interop',
    '/test/with',
    '/test/mutation/node_modules',
    '/scripts/prose/node_modules',
  ],
  tempDirName: 'build/stryker',
  thresholds: { high: 90, low: 80, break: null },
  allowConsoleColors: false,
}
