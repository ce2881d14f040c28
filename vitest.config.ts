import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const here = (path: string) => resolve(import.meta.dirname, path)
const report = process.env['UPKEEP_TEST_REPORT']

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Where a file is named, the counts go there too: .ci/run reads them.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
  resolve: {
    alias: [
      { find: /^upkeep$/, replacement: here('src/index.ts') },
      { find: /^upkeep\/contract$/, replacement: here('src/contract.ts') },
      { find: /^upkeep\/(express|koa|node)$/, replacement: here('adapters/$1.ts') },
    ],
  },
})
