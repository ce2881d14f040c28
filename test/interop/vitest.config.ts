import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const report = process.env['UPKEEP_TEST_REPORT']

// Run by .ci/interop, which builds and names the programs that these tests start.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname),
    include: ['**/*.interop.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
