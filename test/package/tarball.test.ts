import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { codeEntries, repository, unpackPackage } from '../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const built = packed.files.filter((path) => path.startsWith('dist/'))
const read = (path: string) => readFileSync(join(packed.folder, path), 'utf8')
const entryNames = codeEntries(packed).map((entry) => entry.replace(/^upkeep(\/|$)/, '') || 'index')

/** The source modules of each file of dist/, as the build has written them down. */
const modulesOf = (format: 'esm' | 'cjs'): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(readFileSync(join(repository, `build/modules-${format}.json`), 'utf8'))

describe('the tarball', () => {
  it('contains the files of every entry point', () => {
    const targets = Object.values(packed.manifest.exports).flatMap(targetsOf)
    expect(targets.length).toBeGreaterThan(4)
    expect(targets.filter((target) => !packed.files.includes(target.replace('./', '')))).toEqual([])
  })

  it.each(entryNames)('provides one copy to import and require, and ES modules to bundlers: %s', (name) => {
    const entry = packed.manifest.exports[name === 'index' ? '.' : `./${name}`]
    const file = (extension: string, types = 'd.ts') => ({
      types: `./dist/${name}.${types}`,
      default: `./dist/${name}${extension}`,
    })
    const [modules, imported, commonJs] = [file('.js'), file('.mjs'), file('.cjs', 'd.cts')]
    const bundled = [
      ...(name === 'next' ? [['edge-light', file('-edge.js')]] : []),
      ['module', modules],
      ['node', { import: imported, require: commonJs }],
      ['import', modules],
      ['require', commonJs],
    ]
    // Nobody bundles them.
    const others = {
      // The file of its name, too, is an interface: `--import` takes a path.
      auto: [
        ['import', modules],
        ['require', commonJs],
      ],
      contract: [
        ['import', imported],
        ['require', commonJs],
      ],
    }
    expect(Object.entries(entry ?? {})).toEqual(name in others ? others[name as keyof typeof others] : bundled)
    const code = read(`dist/${name}${name === 'auto' ? '.js' : '.mjs'}`)
    const required = [
      "import { createRequire } from 'node:module'",
      'const require = createRequire(import.meta.url)',
      `export const { … } = require('./${name}.cjs')\n`,
    ].join('\n')
    const unbundled = {
      auto: "import './auto.cjs'\n",
      contract: "import cjs from './contract.cjs'\nexport const { … } = cjs\n",
    }
    expect(code.replace(/\{ [\w, ]+ \} =/, '{ … } =')).toBe(
      name in unbundled ? unbundled[name as keyof typeof unbundled] : required,
    )
  })

  it('has types for moduleResolution node, which ignores exports', () => {
    const { '*': paths } = packed.manifest.typesVersions
    const subpaths = entryNames.filter((name) => name !== 'index')
    expect(paths).toEqual(Object.fromEntries(subpaths.map((name) => [name, [`./dist/${name}.d.cts`]])))
  })

  it.each(entryNames)('has one set of declarations, as CommonJS, which ES modules re-export: %s', (name) => {
    expect(read(`dist/${name}.d.ts`)).toBe(`export * from './${name}.cjs'\n`)
    expect(read(`dist/${name}.d.cts`)).not.toMatch(/export default|as default/)
  })

  it('contains the build and its documents, without source maps and sources', () => {
    const documents = ['CHANGELOG.md', 'LICENSE', 'NOTICE.md', 'README.md', 'llms.txt', 'package.json']
    expect(packed.files.filter((path) => !path.startsWith('dist/'))).toEqual(documents)
    const code = built.filter((path) => !/\.d\.c?ts$/.test(path))
    const wrappers = entryNames.map((name) => (name === 'auto' ? 'dist/auto.js' : `dist/${name}.mjs`))
    const listed = [...Object.keys(modulesOf('esm')), ...Object.keys(modulesOf('cjs')), ...wrappers]
    expect(code).toEqual([...listed, 'dist/docs.json.br', 'dist/next-edge.js', 'dist/sbom.cdx.json'].sort())
    for (const path of listed) expect(read(path), path).not.toContain('sourceMappingURL')
  })

  it.each(['esm', 'cjs'] as const)('has every source module in exactly one file: %s', (format) => {
    // The program of a worker thread, and the SDK of `upkeep mcp`, have copies of their own of packages.
    const isInProgram = (file: string, path: string) =>
      /start-thread|cli-mcp-sdk/.test(file) && !path.startsWith('src/')
    const modules = Object.entries(modulesOf(format)).flatMap(([file, paths]) =>
      paths.filter((path) => !isInProgram(file, path)),
    )
    expect(modules.filter((path) => path.startsWith('src/')).length).toBeGreaterThan(300)
    expect(modules.filter((path, at) => modules.indexOf(path) !== at)).toEqual([])
  })

  it('unpacks to less than 4.43 MB', () => {
    const size = packed.files.reduce((sum, path) => sum + statSync(join(packed.folder, path)).size, 0)
    expect(size).toBeLessThan(4_430_000)
  })

  it('lists every entry point in the README', () => {
    const [, table = ''] = /## Entry points\n([^#]+)/.exec(read('README.md')) ?? []
    const listed = [...table.matchAll(/`(upkeep(?:\/[\w-]+)?)`(?=,| \|)/g)].map(([, entry = '']) => entry)
    expect(listed.sort()).toEqual([...codeEntries(packed)].sort())
  })

  it('has only absolute links in the README', () => {
    const links = [...read('README.md').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(15)
    expect(links.filter((link) => !/^https:|^#/.test(link))).toEqual([])
    const files = `${packed.manifest.homepage.replace(/#.*/, '')}/blob/main/`
    const pages = links.filter((link) => link.startsWith(files)).map((link) => link.slice(files.length))
    expect(pages.length).toBeGreaterThan(15)
    for (const page of pages) expect(statSync(join(repository, page.replace(/#.*/, ''))).isFile(), page).toBe(true)
  })

  it('includes the licence of every bundled package', () => {
    const modules = [...Object.values(modulesOf('esm')), ...Object.values(modulesOf('cjs'))].flat()
    const bundled = new Set(modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))
    const notice = read('NOTICE.md')
    expect([...notice.matchAll(/^## (.+)$/gm)].map(([, name]) => name).sort()).toEqual([...bundled].sort())
    for (const name of bundled) {
      const folder = join(repository, 'node_modules', name)
      const file = readdirSync(folder).find((each) => /^LICENSE(?:\.txt)?$/.test(each)) ?? 'LICENSE'
      expect(notice).toContain(readFileSync(join(folder, file), 'utf8').trim())
    }
  })

  it('imports no package that a user may lack, in code and in types', () => {
    const known = Object.keys({ ...packed.manifest.dependencies, ...packed.manifest.peerDependencies })
    for (const path of built) {
      const named = ts.preProcessFile(read(path), true, true).importedFiles.map(({ fileName }) => fileName)
      // Declarations name their neighbours by the name of the code: './node.js' is './node.d.ts' there.
      const file = (name: string) =>
        join(dirname(path), /\.d\.c?ts$/.test(path) ? name.replace(/\.(c?)js$/, '.d.$1ts') : name)
      // Loaded by `startTelemetry` where the application has it; a peer of ours would restrict its version.
      const isExporter = (name: string) => name.startsWith('@opentelemetry/') && /^dist\/otlp2?\.c?js$/.test(path)
      const strange = named.filter(
        (name) =>
          !isBuiltin(name) &&
          !known.includes(packageOf(name)) &&
          !isExporter(name) &&
          !packed.files.includes(file(name)),
      )
      expect(strange, path).toEqual([])
    }
  })
})

/** Returns the files of an entry of `exports`. */
function targetsOf(entry: string | object): readonly string[] {
  return typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(targetsOf)
}

/** Returns the package of a specifier such as `@nestjs/core/exceptions/exceptions-handler.js`. */
function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
}

/** Kilobytes (1000 bytes) of one function, and of all of each entry point, bundled and minified by esbuild. */
const budgets: readonly (readonly [code: string, kilobytes: number])[] = [
  ["import { uuidV7 } from 'upkeep/ids'\nconsole.log(uuidV7())", 5],
  ["import { createLogger } from 'upkeep/logging'\nconsole.log(createLogger({}))", 22],
  ["import { poolMeters } from 'upkeep/instrumentation'\nconsole.log(poolMeters)", 7.1],
  // The program of the thread for diagnostics, 130 kB, is loaded on demand. The page of the console takes 70 kB.
  ["export * from 'upkeep'", 669],
  ["export * from 'upkeep/adapter'", 28],
  ["import 'upkeep/auto'", 10],
  ["export * from 'upkeep/cluster'", 113],
  // CommonJS, from which a bundler removes nothing: it is for tests.
  ["export * from 'upkeep/contract'", 868],
  ["export * from 'upkeep/express'", 35],
  ["export * from 'upkeep/fastify'", 30],
  ["export * from 'upkeep/fetch'", 27],
  ["export * from 'upkeep/health'", 42],
  ["export * from 'upkeep/hono'", 29],
  ["export * from 'upkeep/ids'", 15],
  ["export * from 'upkeep/instrumentation'", 76],
  ["export * from 'upkeep/koa'", 28.1],
  ["export * from 'upkeep/logging'", 24],
  ["export * from 'upkeep/metrics'", 56],
  // It creates the management, so it has all that `upkeep` has.
  ["export * from 'upkeep/nest'", 710],
  ["export * from 'upkeep/next'", 760],
  ["export * from 'upkeep/node'", 222],
  ["export * from 'upkeep/opentelemetry'", 90],
  ["export * from 'upkeep/otlp'", 141.1],
  ["export * from 'upkeep/pino'", 25],
  ["export * from 'upkeep/prometheus'", 30],
  ["export * from 'upkeep/rest'", 90],
  ["export * from 'upkeep/spring-boot-admin'", 45],
  ["export * from 'upkeep/winston'", 23],
]

describe('a bundle', () => {
  it('has a budget for each entry point', () => {
    const named = budgets.flatMap(([code]) => /^(?:export \* from|import) '(.*)'$/.exec(code)?.[1] ?? [])
    expect(named).toEqual([...codeEntries(packed)].sort())
  })

  it.each(budgets)('of %j is within its budget', async (contents, kilobytes) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: join(repository, 'build') },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'node',
      external: ['@opentelemetry/*', ...Object.keys(packed.manifest.peerDependencies)],
    })
    const size = outputFiles.reduce((sum, { contents: bytes }) => sum + bytes.byteLength, 0)
    expect(size / 1_000).toBeLessThanOrEqual(kilobytes)
  })
})
