import { createManagement } from 'upkeep'
import { type Watchdog, type WatchdogOptions, watchdog } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { createRawClient } from '../support/raw-client.ts'

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

  it('stops listening when it is closed', async () => {
    const { send, close } = await start()
    await close()
    await expect(send(liveness)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
