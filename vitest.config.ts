import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { entryPoints } from './scripts/entry-points.mjs'
import { viteWorkerSource } from './scripts/worker-source.mjs'
import { installed, requireInstalledPackage } from './test/support/package/installed.ts'
import { findTestTargets } from './test/support/package/test-targets.ts'
import { RepeatedTests, repetitions } from './test/support/repeated-tests.ts'

const root = import.meta.dirname
const report = process.env['UPKEEP_TEST_REPORT']
const reporters = ['default', new RepeatedTests()]
const targets = findTestTargets(root)

/**
 * `UPKEEP_TEST_TARGET=sources` runs every test on the source files: no build is needed, and coverage can be measured.
 */
const onSourcesOnly = process.env['UPKEEP_TEST_TARGET'] === 'sources'
if (!onSourcesOnly) requireInstalledPackage(root)

type Project = NonNullable<NonNullable<ViteUserConfig['test']>['projects']>[number]

/** A run of some test files, in which `upkeep/…` is a file of its own choice. */
function project(
  name: string,
  files: readonly string[],
  fileOf: (entry: (typeof entryPoints)[number]) => string,
): Project {
  const alias = entryPoints.map((entry) => ({
    find: new RegExp(`^${entry.specifier}$`),
    replacement: resolve(root, fileOf(entry)),
  }))
  return {
    extends: true,
    test: { name, include: [...files], env: { UPKEEP_TEST_TARGET: name } },
    resolve: { alias },
  }
}

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    retry: repetitions,
    // Two at least: most of them wait for a server or a process, and one alone would leave the machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Where a file is named, the counts go there too: .ci/run reads them.
    reporters: report ? [...reporters, ['json', { outputFile: report }]] : reporters,
    projects: onSourcesOnly
      ? [project('sources', [...targets.sources, ...targets.package], ({ source }) => source)]
      : [
          project('sources', targets.sources, ({ source }) => source),
          project('esm', targets.package, ({ name }) => `${installed}/dist/${name}.js`),
          project('cjs', targets.package, ({ name }) => `${installed}/dist/${name}.cjs`),
        ],
  },
  plugins: [
    viteWorkerSource,
    {
      // Decorators are no syntax of Node's yet, and what Vite transforms with leaves those of the standard as they are.
      name: 'decorators',
      enforce: 'pre',
      async transform(code, id) {
        // Nest requires the decorators that TypeScript had before the standard, and the types of parameters.
        const isNest = id.includes('/test/adapters/nest/application/')
        if (!isNest && !id.endsWith('/decorated-orders.ts')) return null
        const { default: typescript } = await import('typescript')
        const { ModuleKind, ScriptTarget } = typescript
        const compilerOptions = {
          target: ScriptTarget.ES2022,
          module: ModuleKind.ESNext,
          inlineSourceMap: true,
          ...(isNest && { experimentalDecorators: true, emitDecoratorMetadata: true, useDefineForClassFields: false }),
        }
        return typescript.transpileModule(code, { compilerOptions, fileName: id }).outputText
      },
    },
  ],
})
