import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { httpProgram, upkeepLines, writeApplication } from '../support/auto-application.ts'

const execute = promisify(execFile)

/** Prints whether more than the entry point is loaded, which announces each management that is created. */
const printState = "console.log('awake', Symbol.for('upkeep.managements') in globalThis)"
/** Opens an HTTP server for a moment. */
const serving = (code: string) => `
import { createServer } from 'node:http'
const server = createServer(() => {}).listen(0, '127.0.0.1', async () => {
  ${code}
  server.close()
})`

describe('upkeep/auto does nothing', () => {
  const sleeping: readonly (readonly [name: string, code: string, env: Readonly<Record<string, string>>])[] = [
    ['in a script without a server', printState, {}],
    [
      'for a server that is not HTTP',
      `import { createServer } from 'node:net'
       const server = createServer().listen(0, '127.0.0.1', () => { ${printState}; server.close() })`,
      {},
    ],
    [
      'in a worker thread',
      `import { Worker } from 'node:worker_threads'
       new Worker(new URL('./serving.mjs', import.meta.url))`,
      {},
    ],
    ['with UPKEEP_DISABLED=true', serving(printState), { UPKEEP_DISABLED: 'true' }],
    ['with UPKEEP_DISABLED=1', serving(printState), { UPKEEP_DISABLED: '1', UPKEEP_START: 'always' }],
    ['in a worker of Jest', serving(printState), { JEST_WORKER_ID: '1', UPKEEP_START: 'always' }],
    ['in Vitest', serving(printState), { VITEST: 'true' }],
    ['in the runner of Node', serving(printState), { NODE_OPTIONS: '--import upkeep/auto' }],
  ]

  it.each(sleeping)('%s', async (_, code, env) => {
    const application = await writeApplication({ 'app.test.mjs': code, 'serving.mjs': serving(printState) })
    const flags = 'NODE_OPTIONS' in env ? ['--test'] : ['--import', 'upkeep/auto']
    const child = application.start({ flags, program: 'app.test.mjs', env })
    expect(await child.ended).toBe(0)
    expect(child.out.lines.join('\n')).toContain('awake false')
    expect(child.err.lines).toEqual([])
  })

  it.each([
    'node_modules/.bin/mocha',
    'node_modules/mocha/lib/nodejs/worker.js',
    'node_modules/ava/lib/worker/base.js',
    'node_modules/.bin/jasmine',
  ])('in %s', async (program) => {
    const application = await writeApplication({ [program]: printState })
    const child = application.start({ program, env: { UPKEEP_START: 'always' } })
    expect(await child.ended).toBe(0)
    expect(child.out.lines).toEqual(['awake false'])
    expect(child.err.lines).toEqual([])
  })

  it('is awake where these are not the case', async () => {
    const application = await writeApplication({ 'app.mjs': serving(printState) })
    const child = application.start({ env: { UPKEEP_DISABLED: 'false' } })
    expect(await child.ended).toBe(0)
    expect(child.out.lines).toEqual(['awake true'])
  })
})

describe('upkeep/auto in NODE_OPTIONS', () => {
  const scripts = { start: 'node app.mjs', build: 'node build.mjs' }
  const files = {
    'package.json': JSON.stringify({ name: 'shop', version: '2.1.0', scripts }),
    'app.mjs': serving(`${printState}
      const livez = 'http://127.0.0.1:' + process.env.UPKEEP_PORT + '/livez'
      for (let status = 0; status !== 200; ) status = await fetch(livez).then((response) => response.status, () => 0)`),
    'build.mjs': printState,
  }
  const preload = (folder: string) => `--import ${pathToFileURL(join(folder, 'node_modules/upkeep/dist/auto.js'))}`

  it.each(['', 'always'])('starts the application of `npm start` alone, UPKEEP_START=%j', async (start) => {
    const application = await writeApplication(files)
    const env = { ...application.env, NODE_OPTIONS: preload(application.folder), UPKEEP_START: start }
    const { stdout, stderr } = await execute('npm', ['start'], { cwd: application.folder, env })
    expect(stdout).toContain('awake true')
    expect(stderr.match(/^upkeep: .*/gm)).toEqual([expect.stringContaining('shop 2.1.0: health at')])
  })

  const starters: readonly (readonly string[])[] = [
    ['pnpm@10.34.8', 'start'],
    ['yarn@1.22.22', 'start'],
    ['tsx@4.23.15', 'app.mjs'],
  ]

  it('starts the application of pnpm, Yarn and tsx alone, also with UPKEEP_START=always', async () => {
    await Promise.all(
      starters.map(async (starter) => {
        const application = await writeApplication(files)
        const env = { ...application.env, NODE_OPTIONS: preload(application.folder), UPKEEP_START: 'always' }
        const { stdout, stderr } = await execute('npx', ['--yes', '--prefer-offline', ...starter], {
          cwd: application.folder,
          env,
        })
        expect(stdout).toContain('awake true')
        expect(stderr.match(/^upkeep: .*/gm)).toEqual([expect.stringContaining('shop 2.1.0: health at')])
      }),
    )
  }, 600_000)

  it('does nothing in npm, in npx and in what they run without a server', async () => {
    const application = await writeApplication(files)
    const env = { ...application.env, NODE_OPTIONS: preload(application.folder) }
    const built = await execute('npm', ['run', 'build'], { cwd: application.folder, env })
    expect(built.stdout).toContain('awake false')
    const run = await execute('npx', ['--no', '-c', 'node build.mjs'], { cwd: application.folder, env })
    expect(run.stdout).toContain('awake false')
    expect(upkeepLines({ err: { lines: [built.stderr, run.stderr].join('\n').split('\n') } })).toEqual([])
  })

  it('is found from any working directory by an absolute path', async () => {
    const application = await writeApplication({ 'app.mjs': httpProgram })
    const auto = join(application.folder, 'node_modules/upkeep/dist/auto.js')
    for (const flags of [
      ['--import', auto],
      ['-r', auto],
      ['--import', String(pathToFileURL(auto))],
    ]) {
      const child = application.start({ flags, cwd: '/' })
      await child.err.line(/^upkeep: shop 2\.1\.0: health/)
      child.writeInput('end')
      expect(await child.ended).toBe(0)
    }
  })
})
