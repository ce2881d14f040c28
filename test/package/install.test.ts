import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { codeEntries, execute, packPackage } from '../support/package/packed.ts'

const packed = packPackage()
afterAll(packed.remove)

const folder = packed.emptyFolder()
writeFileSync(join(folder, 'package.json'), '{"private":true}')
execute(folder, 'npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', packed.tarball)

/** Runs a program in the folder and gives the value that it prints as JSON. */
function run(name: string, text: string): unknown {
  writeFileSync(join(folder, name), text)
  return JSON.parse(execute(folder, process.execPath, name))
}

const importedNames = (entry: string) =>
  run('names.mjs', `import * as all from '${entry}'\nconsole.log(JSON.stringify(Object.keys(all).sort()))`)
const requiredNames = (entry: string) =>
  run('names.cjs', `console.log(JSON.stringify(Object.keys(require('${entry}')).sort()))`)

/** The package and all that it depends on, and their dependencies in turn. */
const own = new Set([packed.manifest.name])
for (const name of own) {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(manifest.dependencies ?? {})) own.add(dependency)
}

describe('the package installed into an empty folder', () => {
  it('brings its own dependencies and no framework', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed).toEqual([...own].sort())
    expect(Object.keys(packed.manifest.peerDependencies).filter((name) => own.has(name))).toEqual([])
  })

  it.each(codeEntries(packed))('gives the same names to import and to require: %s', (entry) => {
    const names = importedNames(entry)
    expect(names).not.toEqual([])
    expect(requiredNames(entry)).toEqual(names)
  })

  it('makes the core in ESM and in CommonJS', () => {
    const body = "console.log(JSON.stringify(typeof createManagement({ application: { name: 'orders' } })))"
    expect(run('core.mjs', `import { createManagement } from 'upkeep'\n${body}`)).toBe('function')
    expect(run('core.cjs', `const { createManagement } = require('upkeep')\n${body}`)).toBe('function')
  })

  it('loads for the core one file of its own, and its dependencies', () => {
    const body = "require('upkeep')\nconsole.log(JSON.stringify(Object.keys(require.cache)))"
    const loaded = (run('loaded.cjs', body) as readonly string[])
      .filter((path) => !path.endsWith('loaded.cjs'))
      .map((path) => path.slice(join(folder, 'node_modules/').length))
    expect(loaded.filter((path) => path.startsWith('upkeep/'))).toEqual(['upkeep/dist/index.cjs'])
    expect(loaded.filter((path) => ![...own].some((name) => path.startsWith(`${name}/`)))).toEqual([])
  })

  it.each(['express', 'fastify', 'hono', 'koa'])(
    'loads upkeep/%s where the framework is not installed',
    (framework) => {
      expect(importedNames(`upkeep/${framework}`)).toEqual(expect.arrayContaining(['answerErrors', 'manage']))
      expect(() => execute(folder, process.execPath, '-e', `require('${framework}')`)).toThrow('MODULE_NOT_FOUND')
    },
  )

  it.each([
    ['pino', ['pinoLoggers', 'pinoOptions', 'plainText']],
    ['winston', ['logRecord', 'plainText', 'winstonLoggers']],
  ])('loads upkeep/%s where the logger is not installed', (logger, names) => {
    expect(importedNames(`upkeep/${logger}`)).toEqual(names)
    expect(() => execute(folder, process.execPath, '-e', `require('${logger}')`)).toThrow('MODULE_NOT_FOUND')
  })

  it('loads for upkeep/fetch no server of Node', () => {
    const body = `const loaded = process.moduleLoadList.length
      require('upkeep/fetch')
      console.log(JSON.stringify(process.moduleLoadList.slice(loaded)))`
    expect(
      (run('fetch.cjs', body) as readonly string[]).filter((name) => /NativeModule (_?http|net|tls)/.test(name)),
    ).toEqual([])
  })

  it('keeps one core for all entries of a format', () => {
    const answer = run(
      'one-core.cjs',
      `const { HttpError } = require('upkeep')
      require('upkeep/express'), require('upkeep/koa'), require('upkeep/node')
      require('upkeep/fetch'), require('upkeep/fastify'), require('upkeep/hono')
      const cores = Object.keys(require.cache).filter((path) => require.cache[path].exports.HttpError)
      console.log(JSON.stringify(cores.length === 1 && require.cache[cores[0]].exports.HttpError === HttpError))`,
    )
    expect(answer).toBe(true)
  })

  it('brings the command, which tells of itself, of the cases and of what it does not know', () => {
    const upkeep = (...words: readonly string[]) => execute(folder, 'node_modules/.bin/upkeep', ...words)
    expect(upkeep('--help')).toContain('upkeep contract <url>')
    expect(upkeep('contract', '--list', '--only', 'info').split('\n')[0]).toMatch(/^info\.json: /)
    expect(() => upkeep('contract', 'http://127.0.0.1:1', '--colour')).toThrow("Unknown option '--colour'")
  })

  it('probes without loading more than one file', () => {
    const probed =
      "require('./node_modules/upkeep/dist/upkeep.cjs')\nprocess.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache))))"
    writeFileSync(join(folder, 'probe.cjs'), `process.argv.push('probe', '--help')\n${probed}`)
    const loaded = JSON.parse(
      execute(folder, process.execPath, 'probe.cjs').split('\n').at(-2) ?? '',
    ) as readonly string[]
    expect(loaded.map((path) => path.replace(/^.*\//, '')).sort()).toEqual(['probe.cjs', 'upkeep.cjs'])
  })
})
