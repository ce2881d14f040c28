import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const here = (path: string) => resolve(import.meta.dirname, path)
const report = process.env['UPKEEP_TEST_REPORT']

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two at least: most of them wait for a server or a process, and one alone would leave the machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Where a file is named, the counts go there too: .ci/run reads them.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
  plugins: [
    {
      // Decorators are no syntax of Node's yet, and what Vite transforms with leaves those of the standard as they are.
      name: 'standard-decorators',
      enforce: 'pre',
      async transform(code, id) {
        if (!id.endsWith('/decorated-orders.ts')) return null
        const { default: typescript } = await import('typescript')
        const { ModuleKind, ScriptTarget } = typescript
        const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.ESNext, inlineSourceMap: true }
        return typescript.transpileModule(code, { compilerOptions, fileName: id }).outputText
      },
    },
  ],
  resolve: {
    alias: [
      { find: /^upkeep$/, replacement: here('src/index.ts') },
      { find: /^upkeep\/otlp$/, replacement: here('src/otlp.ts') },
      { find: /^upkeep\/rest$/, replacement: here('src/rest.ts') },
      { find: /^upkeep\/instrument$/, replacement: here('src/instrument.ts') },
      { find: /^upkeep\/contract$/, replacement: here('src/contract.ts') },
      { find: /^upkeep\/(express|fastify|fetch|hono|koa|node)$/, replacement: here('adapters/$1.ts') },
      { find: /^upkeep\/(pino|winston)$/, replacement: here('src/$1.ts') },
    ],
  },
})
