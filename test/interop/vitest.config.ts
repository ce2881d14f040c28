import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { RepeatedTests, repetitions } from '../support/repeated-tests.ts'

const report = process.env['UPKEEP_TEST_REPORT']
const reporters = ['default', new RepeatedTests()]

// Run by .ci/interop, which builds and names the programs that these tests start.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname),
    include: ['**/*.interop.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: repetitions,
    reporters: report ? [...reporters, ['json', { outputFile: report }]] : reporters,
  },
})
