import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { RepeatedTests, repetitions } from '../support/repeated-tests.ts'

const report = process.env['UPKEEP_TEST_REPORT']
const reporters = ['default', new RepeatedTests()]

// Complete applications of other packages: each is installed from the registry, and upkeep's tarball beside it.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname),
    include: ['**/*.application.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    retry: repetitions,
    maxWorkers: 2,
    passWithNoTests: true,
    reporters: report ? [...reporters, ['json', { outputFile: report }]] : reporters,
  },
})
