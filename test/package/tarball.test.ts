import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { codeEntries, execute, packPackage, repository } from '../support/package/packed.ts'

const packed = packPackage()
afterAll(packed.remove)

const built = packed.files.filter((path) => path.startsWith('dist/'))
const read = (path: string) => readFileSync(join(packed.folder, path), 'utf8')

interface AttwReport {
  readonly analysis: {
    readonly entrypoints: Readonly<Record<string, { readonly resolutions: Readonly<Record<string, AttwResolution>> }>>
  }
  readonly problems?: Readonly<Record<string, readonly { readonly resolutionKind?: string }[]>>
}

interface AttwResolution {
  readonly resolution?: { readonly isTypeScript: boolean }
}

describe('the tarball', () => {
  it('holds the files of every entry', () => {
    const targets = Object.values(packed.manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(({ types, default: code }) => [types, code]),
    )
    expect(targets.length).toBeGreaterThan(4)
    expect(targets.filter((target) => !packed.files.includes(target.replace('./', '')))).toEqual([])
  })

  it('gives ESM and CommonJS each its own types', () => {
    for (const entry of Object.values(packed.manifest.exports)) {
      if (typeof entry === 'string') continue
      expect(entry.import).toEqual({
        types: expect.stringMatching(/\.d\.ts$/),
        default: expect.stringMatching(/\.js$/),
      })
      expect(entry.require).toEqual({
        types: expect.stringMatching(/\.d\.cts$/),
        default: expect.stringMatching(/\.cjs$/),
      })
    }
  })

  it('holds what was built, and the papers that go with it', () => {
    const others = packed.files.filter((path) => !path.startsWith('dist/'))
    const papers = ['CHANGELOG.md', 'LICENSE', 'NOTICE.md', 'README.md', 'package.json']
    expect(others).toEqual(papers.filter((path) => existsSync(join(repository, path))))
    expect(others).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE.md', 'package.json']))
    const entries = codeEntries(packed).map((entry) => entry.replace(/^upkeep(\/|$)/, '') || 'index')
    const code = built.filter((path) => !/\.d\.c?ts$/.test(path))
    const extensions = ['js', 'js.map', 'cjs', 'cjs.map']
    // The command is CommonJS, which starts sooner, and what it loads late an ES module.
    const command = ['dist/upkeep.cjs', 'dist/upkeep.cjs.map', 'dist/upkeep-contract.js', 'dist/upkeep-contract.js.map']
    const faces = entries.flatMap((entry) => extensions.map((extension) => `dist/${entry}.${extension}`))
    expect(code).toEqual([...faces, ...command].sort())
  })

  it('holds no code of the core twice', () => {
    const sourcesOf = (name: string): readonly string[] => JSON.parse(read(`dist/${name}.js.map`)).sources
    const core = new Set(sourcesOf('index'))
    // One line, that reads the path of a target.
    const small = ['../src/http/conventions/target.ts']
    expect(sourcesOf('rest').filter((source) => core.has(source) && !small.includes(source))).toEqual([])
    expect(sourcesOf('rest').length).toBeGreaterThan(20)
  })

  it('points to no source map that it does not hold, and every map holds its sources', () => {
    for (const path of built.filter((name) => /\.c?js$/.test(name))) {
      const [, map] = /^\/\/# sourceMappingURL=(\S+)$/m.exec(read(path)) ?? []
      expect(packed.files, path).toContain(join(dirname(path), map ?? 'no map'))
    }
    for (const path of built.filter((name) => name.endsWith('.map'))) {
      const { sources, sourcesContent } = JSON.parse(read(path))
      expect(sources.length, path).toBe(sourcesContent.length)
      expect(sourcesContent.filter((content: unknown) => typeof content !== 'string')).toEqual([])
    }
  })

  it('carries the licence of every package that is bundled in it', () => {
    const sources = built.filter((path) => path.endsWith('.map')).flatMap((path) => JSON.parse(read(path)).sources)
    const bundled = new Set(
      sources.flatMap((source: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
    )
    const notice = read('NOTICE.md')
    expect([...notice.matchAll(/^## (.+)$/gm)].map(([, name]) => name).sort()).toEqual([...bundled].sort())
    for (const name of bundled) {
      expect(notice).toContain(readFileSync(join(repository, 'node_modules', name, 'LICENSE'), 'utf8').trim())
    }
  })

  it('imports in code and in types nothing that a user would not have', () => {
    const known = Object.keys({ ...packed.manifest.dependencies, ...packed.manifest.peerDependencies })
    for (const path of built.filter((name) => !name.endsWith('.map'))) {
      const named = ts.preProcessFile(read(path), true, true).importedFiles.map(({ fileName }) => fileName)
      // Declarations name their neighbours by the name of the code: './node.js' is './node.d.ts' there.
      const file = (name: string) =>
        join(dirname(path), /\.d\.c?ts$/.test(path) ? name.replace(/\.(c?)js$/, '.d.$1ts') : name)
      const strange = named.filter(
        (name) => !isBuiltin(name) && !known.includes(name) && !packed.files.includes(file(name)),
      )
      expect(strange, path).toEqual([])
    }
  })

  it('passes publint, strictly', async () => {
    const bytes = readFileSync(packed.tarball)
    const { messages, pkg } = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
      strict: true,
    })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it('gives every entry right types in node16 from ESM and from CommonJS, and in a bundler', () => {
    const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const report = execute(
      repository,
      process.execPath,
      attw,
      packed.tarball,
      '--profile',
      'node16',
      '--format',
      'json',
    )
    const { analysis, problems }: AttwReport = JSON.parse(report)
    // Node 10 knows no exports, and the profile leaves it out of the verdict.
    expect(
      Object.values(problems ?? {})
        .flat()
        .filter(({ resolutionKind }) => resolutionKind !== 'node10'),
    ).toEqual([])
    for (const entry of codeEntries(packed)) {
      const resolutions = analysis.entrypoints[entry.replace('upkeep', '.')]?.resolutions
      for (const kind of ['node16-cjs', 'node16-esm', 'bundler']) {
        expect(resolutions?.[kind]?.resolution?.isTypeScript, `${entry} ${kind}`).toBe(true)
      }
    }
  })
})
