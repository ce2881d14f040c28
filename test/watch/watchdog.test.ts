import { resolve } from 'node:path'
import { createManagement } from 'upkeep'
import { type Watchdog, type WatchdogOptions, watchdog } from 'upkeep/node'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Answer, askOver } from '../support/ask.ts'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'

const liveness = { target: '/management/health/liveness' }

describe('a watchdog', () => {
  const open: Watchdog[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  async function start(options: Partial<WatchdogOptions> = {}, management = createManagement()) {
    const dog = await watchdog(management, { port: 0, ...options })
    open.push(dog)
    return { ...dog, ask: askOver(dog.port) }
  }

  it('answers liveness while the loop turns, for nobody to keep', async () => {
    const { ask } = await start()
    const answer = await ask(liveness)
    expect([answer.status, answer.body]).toEqual([200, '{"status":"UP"}'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '15',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      expires: '0',
    })
  })

  it('says the same to HEAD, without content', async () => {
    const { ask } = await start()
    const answer = await ask({ ...liveness, method: 'HEAD' })
    expect(answer).toMatchObject({ status: 200, body: '', headers: { 'content-length': '15' } })
  })

  it.each([
    ['OPTIONS', '/management/health/liveness', 204],
    ['POST', '/management/health/liveness', 405],
    ['GET', '/management/health/liveness?verbose', 200],
    ['GET', '/management/health', 404],
    ['GET', '/management/health/liveness/', 404],
    ['GET', '//x/management/health/liveness', 404],
  ])('answers %s %s with %d', async (method, target, status) => {
    const { ask } = await start()
    const answer = await ask({ method, target })
    expect(answer.status).toBe(status)
    expect(answer.headers['allow']).toBe(status === 204 || status === 405 ? 'GET, HEAD, OPTIONS' : undefined)
    if (status >= 400) expect(JSON.parse(answer.body)).toMatchObject({ type: 'about:blank', status })
  })

  it.each([
    ['/', '/health/liveness'],
    ['/ops', '/ops/health/liveness'],
  ])('answers below the base path %s', async (basePath, target) => {
    const { ask } = await start({ basePath })
    expect((await ask({ target })).status).toBe(200)
  })

  it('says that the application is broken when the application says so, before or after', async () => {
    const [early, late] = [createManagement(), createManagement()]
    early.availability.markBroken()
    const [first, second] = [await start({}, early), await start({}, late)]
    expect(await first.ask(liveness)).toMatchObject({ status: 503, body: '{"status":"DOWN"}' })
    expect((await second.ask(liveness)).status).toBe(200)
    late.availability.refuseTraffic()
    expect((await second.ask(liveness)).status).toBe(200)
    late.availability.markBroken()
    expect((await second.ask(liveness)).status).toBe(503)
  })

  it('rejects when its port is taken', async () => {
    const { port } = await start()
    await expect(start({ port })).rejects.toThrow(/^the watchdog cannot listen: .*EADDRINUSE/)
  })

  it('names a stall that is no duration', async () => {
    await expect(start({ stall: '5' as '5s' })).rejects.toThrow(
      "stall must be a duration such as '500ms', '5s' or '1m'",
    )
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no log')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('goes on when its report %s', async (_how, fail) => {
    const reported = vi.fn(fail)
    const { ask } = await start({ stall: '100ms', report: reported })
    block(400)
    await vi.waitFor(() => expect(reported).toHaveBeenCalled(), 5_000)
    // An uncaught exception or an unhandled rejection would fail the test run.
    await vi.waitFor(async () => expect((await ask(liveness)).status).toBe(200), 5_000)
  })

  it('reports through the management', async () => {
    const report = vi.fn()
    await start({ stall: '100ms' }, createManagement({ report }))
    block(400)
    await vi.waitFor(
      () => expect(report).toHaveBeenCalledWith(expect.stringMatching(/^the event loop turns again after .* blocked/)),
      5_000,
    )
  })

  it('listens no more once it is closed', async () => {
    const { ask, close } = await start()
    await close()
    await expect(ask(liveness)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** Starts a watchdog, says on which port, and then blocks its loop as it is told. */
const program = `
  const report = (message) => console.log('reported ' + message)
  const dog = await watchdog(createManagement({ report }), { port: 0, stall: '500ms' })
  console.log('port ' + dog.port)
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const [how, milliseconds] = text.split(' ')
    if (how === 'compute') blockTheLoop(Number(milliseconds))
    else if (how === 'call') execSync('sleep ' + milliseconds / 1000)
    else if (how === 'end') process.stdin.destroy()
  })
  function blockTheLoop(milliseconds) {
    const end = Date.now() + milliseconds
    while (Date.now() < end) JSON.parse('[1, 2]')
  }`

const sources = {
  module: `import { execSync } from 'node:child_process'
    import { createManagement } from 'upkeep'
    import { watchdog } from 'upkeep/node'
    ${program}`,
  commonjs: `const { execSync } = require('node:child_process')
    const { createManagement } = require('upkeep')
    const { watchdog } = require('upkeep/node')
    ;(async () => {${program}})()`,
}

describe('a watchdog of the built package', () => {
  let child: Child

  beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))
  afterEach(() => child.kill())

  async function start({ type = 'module', flags = [] }: { type?: keyof typeof sources; flags?: string[] } = {}) {
    const cwd = resolve(import.meta.dirname, '../..')
    child = startChild(process.execPath, [...flags, `--input-type=${type}`, '-e', sources[type]], { cwd })
    const ask = askOver(Number((await child.out.line(/^port /)).slice('port '.length)))
    return {
      /** Asks again and again until the answer is this. */
      until: (expected: (answer: Answer) => boolean) =>
        vi.waitFor(
          async () => {
            const answer = await ask(liveness)
            if (!expected(answer)) throw new Error(`${answer.status} ${answer.body}`)
            return answer
          },
          { timeout: 8_000, interval: 20 },
        ),
    }
  }

  const isUp = ({ status }: Answer) => status === 200
  const isDown = ({ status }: Answer) => status === 503

  it.each(['module', 'commonjs'] as const)(
    'answers 200, 503 while the loop is blocked, with how long and by what, and 200 again (%s)',
    async (type) => {
      const { until } = await start({ type })
      await until(isUp)
      child.say('compute 3000')
      const { details } = JSON.parse((await until((answer) => isDown(answer) && answer.body.includes('stack'))).body)
      expect(Number(/^the event loop has been blocked for (\d+)ms$/.exec(details.error)?.[1])).toBeGreaterThan(500)
      expect(details.stack[0]).toMatch(/^at blockTheLoop \(.*:\d+:\d+\)$/)
      await until(isUp)
      const reported = await child.out.line(/^reported the event loop turns again after it was blocked for \d+ms$/)
      expect(Number(/\d+/.exec(reported)?.[0])).toBeGreaterThan(1_000)
      expect(await child.out.line(/^ {4}at blockTheLoop/)).toBeDefined()
      expect(child.err.lines.join('\n')).toMatch(
        /^upkeep: the event loop has been blocked for \d+ms\n {4}at blockTheLoop \(/,
      )
    },
  )

  it('sees a second stall as well as the first', async () => {
    const { until } = await start()
    for (const milliseconds of [1_000, 1_500]) {
      child.say(`compute ${milliseconds}`)
      await until(isDown)
      await until(isUp)
    }
    await vi.waitFor(() => expect(child.out.lines.filter((line) => line.startsWith('reported'))).toHaveLength(2))
  })

  it('knows of no stack inside a system call, and lets the loop go on after it', async () => {
    const { until } = await start()
    child.say('call 2500')
    const { details } = JSON.parse((await until(isDown)).body)
    expect(details).toEqual({ error: expect.stringMatching(/blocked for \d+ms$/) })
    await until(isUp)
    child.say('compute 1200')
    await until((answer) => isDown(answer) && answer.body.includes('blockTheLoop'))
    await until(isUp)
  })

  it('leaves the stack to whoever has a debugger attached', async () => {
    const { until } = await start({ flags: ['--inspect=127.0.0.1:0'] })
    child.say('compute 1500')
    await until(isDown)
    await until(isUp)
    await child.out.line(/^reported the event loop turns again/)
    expect(child.out.lines.join()).not.toContain('blockTheLoop')
  })

  it('blames nobody for the time in which the whole process was frozen', async () => {
    const { until } = await start()
    await until(isUp)
    child.process.kill('SIGSTOP')
    // The time in which it is frozen has to pass; the stall is 500 ms.
    await new Promise((thaw) => setTimeout(thaw, 1_000))
    child.process.kill('SIGCONT')
    await until(isUp)
    child.say('end')
    expect(await child.ended).toBe(0)
    expect([child.err.lines.join('\n'), child.out.lines.slice(1)]).toEqual(['', []])
  })

  it('keeps no process alive', async () => {
    await start()
    child.say('end')
    expect(await child.ended).toBe(0)
  })
})
