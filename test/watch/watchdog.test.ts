import { resolve } from 'node:path'
import { createManagement } from 'upkeep'
import { type Watchdog, type WatchdogOptions, watchdog } from 'upkeep/node'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { createRawClient, type RawResponse } from '../support/raw-client.ts'

const liveness = { target: '/management/health/liveness' }

describe('a watchdog', () => {
  const open: Watchdog[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  async function start(options: Partial<WatchdogOptions> = {}, management = createManagement()) {
    const dog = await watchdog(management, { port: 0, ...options })
    open.push(dog)
    return { ...dog, send: createRawClient(dog.port) }
  }

  it('serves liveness while the event loop turns, not cacheable', async () => {
    const { send } = await start()
    const response = await send(liveness)
    expect([response.status, response.body]).toEqual([200, '{"status":"UP"}'])
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '15',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      expires: '0',
    })
  })

  it('responds to HEAD with the same fields, without content', async () => {
    const { send } = await start()
    const response = await send({ ...liveness, method: 'HEAD' })
    expect(response).toMatchObject({ status: 200, body: '', headers: { 'content-length': '15' } })
  })

  it.each([
    ['OPTIONS', '/management/health/liveness', 204],
    ['POST', '/management/health/liveness', 405],
    ['GET', '/management/health/liveness?verbose', 200],
    ['GET', '/management/health', 404],
    ['GET', '/management/health/liveness/', 404],
    ['GET', '//x/management/health/liveness', 404],
  ])('responds to %s %s with %d', async (method, target, status) => {
    const { send } = await start()
    const response = await send({ method, target })
    expect(response.status).toBe(status)
    expect(response.headers['allow']).toBe(status === 204 || status === 405 ? 'GET, HEAD, OPTIONS' : undefined)
    if (status >= 400) expect(JSON.parse(response.body)).toMatchObject({ type: 'about:blank', status })
  })

  it.each([
    ['/', '/health/liveness'],
    ['/ops', '/ops/health/liveness'],
  ])('serves liveness below the base path %s', async (basePath, target) => {
    const { send } = await start({ basePath })
    expect((await send({ target })).status).toBe(200)
  })

  it('responds with 503 when the application is marked broken, before or after the start', async () => {
    const [early, late] = [createManagement(), createManagement()]
    early.availability.markBroken()
    const [first, second] = [await start({}, early), await start({}, late)]
    expect(await first.send(liveness)).toMatchObject({ status: 503, body: '{"status":"DOWN"}' })
    expect((await second.send(liveness)).status).toBe(200)
    late.availability.refuseTraffic()
    expect((await second.send(liveness)).status).toBe(200)
    late.availability.markBroken()
    expect((await second.send(liveness)).status).toBe(503)
  })

  it('rejects if its port is in use', async () => {
    const { port } = await start()
    await expect(start({ port })).rejects.toThrow(/^watchdog: .*EADDRINUSE/)
  })

  it('rejects a stall that is not a duration', async () => {
    await expect(start({ stall: '5' as '5s' })).rejects.toThrow(
      'watchdog: stall: expected a duration such as "5s", received "5"',
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
  ])('continues when its report %s', async (_how, fail) => {
    const reported = vi.fn(fail)
    const { send } = await start({ stall: '100ms', report: reported })
    block(400)
    await vi.waitFor(() => expect(reported).toHaveBeenCalled(), 5_000)
    // An uncaught exception or an unhandled rejection would fail the test run.
    await vi.waitFor(async () => expect((await send(liveness)).status).toBe(200), 5_000)
  })

  it('reports through the management', async () => {
    const report = vi.fn()
    await start({ stall: '100ms' }, createManagement({ report }))
    block(400)
    await vi.waitFor(
      () =>
        expect(report).toHaveBeenCalledWith(expect.stringMatching(/^watchdog: the event loop was blocked for \d+ms/)),
      5_000,
    )
  })

  it('stops listening when it is closed', async () => {
    const { send, close } = await start()
    await close()
    await expect(send(liveness)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** Starts a watchdog, prints its port, and blocks its event loop on request. */
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
    const send = createRawClient(Number((await child.out.line(/^port /)).slice('port '.length)))
    return {
      /** Requests liveness repeatedly until the response is the expected one. */
      until: (expected: (response: RawResponse) => boolean) =>
        vi.waitFor(
          async () => {
            const response = await send(liveness)
            if (!expected(response)) throw new Error(`${response.status} ${response.body}`)
            return response
          },
          { timeout: 8_000, interval: 20 },
        ),
    }
  }

  const isUp = ({ status }: RawResponse) => status === 200
  const isDown = ({ status }: RawResponse) => status === 503

  it.each(['module', 'commonjs'] as const)(
    'responds with 200, with 503, the duration and the stack while the loop is blocked, and with 200 again (%s)',
    async (type) => {
      const { until } = await start({ type })
      await until(isUp)
      child.writeInput('compute 3000')
      const { details } = JSON.parse(
        (await until((response) => isDown(response) && response.body.includes('stack'))).body,
      )
      expect(Number(/^the event loop has been blocked for (\d+)ms$/.exec(details.error)?.[1])).toBeGreaterThan(500)
      expect(details.stack[0]).toMatch(/^at blockTheLoop \(.*:\d+:\d+\)$/)
      await until(isUp)
      const reported = await child.out.line(/^reported watchdog: the event loop was blocked for \d+ms$/)
      expect(Number(/\d+/.exec(reported)?.[0])).toBeGreaterThan(1_000)
      expect(await child.out.line(/^ {4}at blockTheLoop/)).toBeDefined()
      expect(child.err.lines.join('\n')).toMatch(
        /^upkeep: the event loop has been blocked for \d+ms\n {4}at blockTheLoop \(/,
      )
    },
  )

  it('detects a second stall as well as the first', async () => {
    const { until } = await start()
    for (const milliseconds of [1_000, 1_500]) {
      child.writeInput(`compute ${milliseconds}`)
      await until(isDown)
      await until(isUp)
    }
    await vi.waitFor(() => expect(child.out.lines.filter((line) => line.startsWith('reported'))).toHaveLength(2))
  })

  it('reports no stack inside a system call, after which the loop continues', async () => {
    const { until } = await start()
    child.writeInput('call 2500')
    const { details } = JSON.parse((await until(isDown)).body)
    expect(details).toEqual({ error: expect.stringMatching(/blocked for \d+ms$/) })
    await until(isUp)
    child.writeInput('compute 1200')
    await until((response) => isDown(response) && response.body.includes('blockTheLoop'))
    await until(isUp)
  })

  it('does not read the stack while a debugger is attached', async () => {
    const { until } = await start({ flags: ['--inspect=127.0.0.1:0'] })
    child.writeInput('compute 1500')
    await until(isDown)
    await until(isUp)
    await child.out.line(/^reported watchdog: the event loop was blocked/)
    expect(child.out.lines.join()).not.toContain('blockTheLoop')
  })

  it('does not count the time in which the whole process is frozen', async () => {
    const { until } = await start()
    await until(isUp)
    child.process.kill('SIGSTOP')
    // The time in which it is frozen has to pass; the stall is 500 ms.
    await new Promise((thaw) => setTimeout(thaw, 1_000))
    child.process.kill('SIGCONT')
    await until(isUp)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
    expect([child.err.lines.join('\n'), child.out.lines.slice(1)]).toEqual(['', []])
  })

  it('does not keep the process alive', async () => {
    await start()
    child.writeInput('end')
    expect(await child.ended).toBe(0)
  })
})
