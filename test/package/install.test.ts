import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { codeEntries, execute, unpackPackage } from '../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const folder = packed.emptyFolder()
writeFileSync(join(folder, 'package.json'), '{"private":true}')
execute(folder, 'npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', packed.tarball)

/** Runs a program in the folder and gives the value that it prints as JSON. */
function run(name: string, text: string, ...flags: readonly string[]): unknown {
  writeFileSync(join(folder, name), text)
  return JSON.parse(execute(folder, process.execPath, ...flags, name))
}

/** Of Jest, for example. */
const withoutRequireOfModules = '--no-experimental-require-module'

/** The names that each entry point exports, in alphabetical order. */
type Names = Readonly<Record<string, readonly string[]>>

const entries = codeEntries(packed)
const namesOf = (load: string, ...flags: readonly string[]): Names => {
  const program = `void (async () => {
    const all = {}
    for (const entry of ${JSON.stringify(entries)}) all[entry] = Object.keys(${load}).sort()
    console.log(JSON.stringify(all))
  })()`
  return run('names.cjs', program, ...flags) as Names
}
const imported = namesOf('await import(entry)')
const required = namesOf('require(entry)')
const requiredCommonJs = namesOf('require(entry)', withoutRequireOfModules)

/** Kilobytes (1000 bytes) of the files that Node loads for an entry point: V8 reads all of them, 20 µs for each kB. */
const loadedKilobytes: Readonly<Record<string, number>> = {
  upkeep: 63,
  'upkeep/adapter': 63,
  'upkeep/auto': 8,
  'upkeep/cluster': 208,
  'upkeep/contract': 266,
  'upkeep/express': 81,
  'upkeep/fastify': 90,
  'upkeep/fetch': 66,
  'upkeep/health': 49,
  'upkeep/hono': 85,
  'upkeep/ids': 31,
  'upkeep/instrumentation': 180,
  'upkeep/koa': 89,
  'upkeep/logging': 226,
  'upkeep/metrics': 187,
  'upkeep/nest': 226,
  'upkeep/next': 255,
  'upkeep/node': 85,
  'upkeep/opentelemetry': 230,
  'upkeep/otlp': 210,
  'upkeep/pino': 114,
  'upkeep/prometheus': 73,
  'upkeep/rest': 312,
  'upkeep/spring-boot-admin': 78,
  'upkeep/winston': 96,
}

/** Returns the bytes of the package's files that a program has loaded at its end. */
function loadedBytes(code: string): number {
  const program = `void (async () => {
    ${code}
    const own = Object.keys(require.cache).filter((file) => file.includes('/upkeep/dist/'))
    console.log(own.reduce((sum, file) => sum + require('node:fs').statSync(file).size, 0))
    process.exit()
  })()`
  return Number(run('loaded.cjs', program))
}

/** The package and all that it depends on, and their dependencies in turn. */
const own = new Set([packed.manifest.name])
for (const name of own) {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(manifest.dependencies ?? {})) own.add(dependency)
}

describe('the package installed into an empty folder', () => {
  it('installs its own dependencies and no framework', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed).toEqual([...own].sort())
    expect(Object.keys(packed.manifest.peerDependencies).filter((name) => own.has(name))).toEqual([])
  })

  it.each(entries)('exports the same names to import and to require: %s', (entry) => {
    // `upkeep/auto` is loaded for what it does.
    if (entry !== 'upkeep/auto') expect(imported[entry]).not.toEqual([])
    expect(required[entry]).toEqual(imported[entry])
    expect(requiredCommonJs[entry]).toEqual(imported[entry])
  })

  it('is one implementation for import and for require, without a warning', () => {
    const program = `
      const entries = ${JSON.stringify(entries)}
      process.on('warning', (warning) => { throw warning })
      void (async () => {
        const same = []
        for (const entry of entries) {
          const [imported, required] = [await import(entry), require(entry)]
          same.push(Object.keys(required).every((name) => imported[name] === required[name]))
        }
        console.log(JSON.stringify(same))
      })()`
    expect(run('same.cjs', program)).toEqual(entries.map(() => true))
  })

  it('opens four files for upkeep, all of them its own', () => {
    const own = join(folder, 'node_modules/upkeep/dist')
    const body = `import 'upkeep'
      import Module from 'node:module'
      console.log(JSON.stringify(Object.keys(Module._cache)))`
    const opened = run('opened.mjs', body) as readonly string[]
    expect(opened.map((file) => relative(own, file))).toEqual(['index.cjs', 'core.cjs', 'base.cjs', 'ids-core.cjs'])
  })

  it('has a budget of what Node loads for each entry point', () => {
    expect(Object.keys(loadedKilobytes).sort()).toEqual([...entries].sort())
  })

  it.each(Object.entries(loadedKilobytes))('loads little for %s', (entry, kilobytes) => {
    expect(loadedBytes(`require('${entry}')`)).toBeLessThanOrEqual(kilobytes * 1_000)
  })

  it('loads little for a service with health alone, until its first response', () => {
    const service = `const { createManagement } = require('upkeep')
      const management = createManagement({ health: { indicators: { db: () => ({ status: 'UP' }) } } })
      await management({ method: 'GET', target: '/management/health', headers: {}, base: '', body() {} })`
    expect(loadedBytes(service)).toBeLessThanOrEqual(184_000)
  })

  it.each([
    ['alone', {}, 248],
    ['with a host', { UPKEEP_HOST: '127.0.0.1' }, 248],
    ['with a token', { UPKEEP_HOST: '127.0.0.1', UPKEEP_TOKEN: 'secret' }, 610],
  ])('loads little for upkeep/auto %s, once a server listens', (_settings, environment, kilobytes) => {
    const application = `const { createServer } = require('node:http')
      const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
      const { port } = (await listen(createServer())).unref().address()
      const settings = { UPKEEP_PORT: port, UPKEEP_QUIET: 'true', ...${JSON.stringify(environment)} }
      Object.assign(process.env, settings)
      // In a process of a test runner it would sleep.
      delete process.env.VITEST
      require('upkeep/auto')
      await listen(createServer((req, res) => res.end()))`
    const bytes = loadedBytes(application)
    expect(bytes).toBeGreaterThan(200_000)
    expect(bytes).toBeLessThanOrEqual(kilobytes * 1_000)
  })

  it.each(['express', 'fastify', 'hono', 'koa'])('loads upkeep/%s if the framework is not installed', (framework) => {
    expect(imported[`upkeep/${framework}`]).toEqual(expect.arrayContaining(['handleErrors', 'manage']))
    expect(existsSync(join(folder, 'node_modules', framework))).toBe(false)
  })

  it.each([
    ['pino', ['pinoLoggers', 'pinoOptions', 'pinoTraceMixin', 'plainText']],
    ['winston', ['logRecord', 'plainText', 'traceFormat', 'winstonLoggers']],
  ])('loads upkeep/%s if the logger is not installed', (logger, names) => {
    expect(imported[`upkeep/${logger}`]).toEqual(names)
    expect(existsSync(join(folder, 'node_modules', logger))).toBe(false)
  })

  it('does not load node:http for upkeep/fetch', () => {
    const body = `const loaded = process.moduleLoadList.length
      require('upkeep/fetch')
      console.log(JSON.stringify(process.moduleLoadList.slice(loaded)))`
    expect(
      (run('fetch.cjs', body) as readonly string[]).filter((name) => /NativeModule (_?http|net|tls)/.test(name)),
    ).toEqual([])
  })

  it('includes the command, which prints its version and help and rejects unknown arguments', () => {
    const upkeep = (...words: readonly string[]) => execute(folder, 'node_modules/.bin/upkeep', ...words)
    expect(upkeep('--help')).toContain('upkeep contract <url>')
    expect(upkeep('contract', '--list', '--only', 'info').split('\n')[0]).toMatch(/^info\.json: /)
    expect(() => upkeep('contract', 'http://127.0.0.1:1', '--colour')).toThrow("Unknown option '--colour'")
  })

  it('probes with two small files', () => {
    const probed =
      "require('./node_modules/upkeep/dist/cli.cjs')\n" +
      "process.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache))))"
    writeFileSync(join(folder, 'probe.cjs'), `process.argv.push('probe', '--help')\n${probed}`)
    const loaded = JSON.parse(
      execute(folder, process.execPath, 'probe.cjs').split('\n').at(-2) ?? '',
    ) as readonly string[]
    expect(loaded.map((path) => path.replace(/^.*\//, '')).sort()).toEqual(['base.cjs', 'cli.cjs', 'probe.cjs'])
  })
})
