import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const here = (path: string) => resolve(import.meta.dirname, path)

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
  resolve: {
    alias: [
      { find: /^upkeep$/, replacement: here('src/index.ts') },
      { find: /^upkeep\/(express|koa|node)$/, replacement: here('adapters/$1.ts') },
    ],
  },
})
