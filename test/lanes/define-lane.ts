import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { ViteUserConfig } from 'vitest/config'
import { bundledEntries, entryPoints, importedFile } from '../../scripts/entry-points.mjs'
import { vitePageFiles } from '../../scripts/page-files.mjs'
import { viteWorkerSource } from '../../scripts/worker-source.mjs'
import { installed, requireInstalledPackage } from '../support/package/installed.ts'
import { SummaryReporter } from './summary-reporter.ts'

export const root: string = resolve(import.meta.dirname, '../..')

/** The files that `upkeep/…` means in a run: the sources, or of the packed package what Node loads or bundlers read. */
export type Target = 'sources' | 'node' | 'bundled'

/** Test files by what they run on. */
export type TestFiles = Partial<Readonly<Record<Target, readonly string[]>>>

/** A project of vitest; a lane adds what all of its projects have. */
export type Project = Pick<ViteUserConfig, 'test' | 'resolve'>

/** The test files of a lane by what they run on. */
export interface Lane {
  readonly files: TestFiles
  /** Files that run on the sources and share one copy of each module, which takes a third of the time. */
  readonly shared?: readonly string[]
  /** How many files run at a time. @default one per core, and two at least */
  readonly workers?: number
  /** Further projects. */
  readonly projects?: readonly Project[]
}

/** Returns vitest's configuration of a lane. Throws if the lane needs the packed package, which is absent or old. */
export function defineLane(lane: Lane): ViteUserConfig {
  const { files, shared, workers = Math.max(2, availableParallelism()) } = lane
  const projects = [...defineTargets(files), ...(lane.projects ?? [])]
  if (shared !== undefined)
    projects.push(defineProject('shared', 'sources', shared, { isolate: false, setupFiles: [leftState, errorCodes] }))
  const { retry, expect, silent, reporters } = commonTest()
  const common = {
    ...{ retry, expect, silent, testTimeout: 600_000, hookTimeout: 600_000, setupFiles: [errorCodes] },
    // A test that opens the inspector does not print its address.
    execArgv: ['--inspect-publish-uid=http'],
  }
  return {
    root,
    test: {
      ...{ reporters, silent, maxWorkers: workers, fileParallelism: workers > 1 },
      // By `extends`, vitest would evaluate this configuration once per project, which takes a second each.
      projects: projects.map(({ test, ...project }) => ({
        ...{ root, plugins: [viteWorkerSource, vitePageFiles, decorators] },
        ...{ ...project, test: { ...common, ...test } },
      })),
    },
  }
}

/**
 * Returns a project for each target; `folder` is where the packed package is when they run. Throws if they need the
 * package, and it is absent from build/ or old.
 */
export function defineTargets(files: TestFiles, folder: string = installed): readonly Project[] {
  if (files.node !== undefined || files.bundled !== undefined) requireInstalledPackage(root)
  const targets = Object.keys(files) as Target[]
  return targets.map((target) => defineProject(target, target, files[target] ?? [], {}, folder))
}

type CommonTest = Required<Pick<NonNullable<ViteUserConfig['test']>, 'retry' | 'expect' | 'silent' | 'reporters'>>

/**
 * Returns what every run of vitest in this repository has: no test is repeated, a state is awaited for so long that it
 * says nothing about the machine, and a green test prints little.
 */
export function commonTest(): CommonTest {
  // Where a file is named, the counts go there too: .ci/run reads them.
  const report = process.env['UPKEEP_TEST_REPORT']
  const summary = new SummaryReporter()
  return {
    retry: 0,
    expect: { poll: { timeout: 180_000, interval: 20 } },
    silent: 'passed-only',
    reporters: report ? [summary, ['json', { outputFile: report }]] : [summary],
  }
}

/** Fails a test file that leaves something behind for the files after it. */
const leftState = resolve(root, 'test/lanes/left-state.ts')

/** Lets an expected error leave out the code. */
const errorCodes = resolve(root, 'test/lanes/error-codes.ts')

function defineProject(
  name: string,
  target: Target,
  files: readonly string[],
  options: Pick<NonNullable<ViteUserConfig['test']>, 'isolate' | 'setupFiles'>,
  folder: string = installed,
): Project {
  const alias = entryPoints.map(({ specifier, source, name }) => ({
    find: new RegExp(`^${specifier}$`),
    replacement: resolve(root, fileOf[target](source, name, folder)),
  }))
  return {
    test: { name, include: [...files], env: { UPKEEP_TEST_TARGET: target }, ...options },
    resolve: { alias },
  }
}

const fileOf: Readonly<Record<Target, (source: string, name: string, folder: string) => string>> = {
  sources: (source) => source,
  node: (_, name, folder) => `${folder}/dist/${importedFile(name)}`,
  bundled: (_, name, folder) => `${folder}/dist/${bundledEntries.includes(name) ? `${name}.js` : importedFile(name)}`,
}

/** Compiles decorators, which are no syntax of Node's yet: Vite leaves those of the standard as they are. */
const decorators = {
  name: 'decorators',
  enforce: 'pre' as const,
  async transform(code: string, id: string) {
    // Nest requires the decorators that TypeScript had before the standard, and the types of parameters.
    const isNest = id.includes('/test/with/nest/application/')
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
}
