import { resolve } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { createRawClient } from '../support/raw-client.ts'

const target = '/management/threaddump'
const authorization = 'Bearer secret'
const root = resolve(import.meta.dirname, '../..')

describe('threaddump on the port of the watchdog', () => {
  let child: Child

  beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))
  afterEach(() => child.kill())

  /** Starts a service whose main thread and worker thread both work; returns a client of the watchdog. */
  async function start(action: string, flags: readonly string[] = []) {
    child = startChild(process.execPath, [...flags, 'test/watch/burning-service.mjs'], { cwd: root })
    const [, , port] = (await child.out.line(/^ports /)).split(' ')
    child.writeInput(`${action}\n`)
    await child.out.line(/^begins /)
    return createRawClient(Number(port))
  }

  it('has the stacks of a main thread and of a worker thread that never yield', async () => {
    const send = await start('forever')
    const response = await send({ target, headers: { authorization } })
    expect(response).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
    const { threads, ...others } = JSON.parse(response.body)
    expect(others).toEqual({})
    const [main, worker] = threads
    expect(main).toMatchObject({ threadId: 0, threadName: 'main', threadState: 'RUNNABLE', inNative: false })
    expect(methodsOf(main)).toContain('forever')
    expect(worker).toMatchObject({ threadName: expect.stringMatching(/^worker \d+ crunch$/), threadState: 'RUNNABLE' })
    expect(methodsOf(worker)).toContain('loopForever')
  })

  it('is text on request, without the active resources, which only the main thread knows', async () => {
    const send = await start('forever')
    const response = await send({ target, headers: { authorization, accept: 'text/plain' } })
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' } })
    expect(response.body).toMatch(/^20\d\d-.*\nFull thread dump Node\.js .*:\n\n"main" - Thread t@0\n/)
    expect(response.body).toMatch(/^\tat forever \(file:.*burning-service\.mjs:\d+:\d+\)$/m)
    expect(response.body).toMatch(/^"worker \d+ crunch" - Thread t@\d+$/m)
    expect(response.body).not.toMatch(/active resources/i)
  })

  it('rejects a request without its token, of a page of another site, or for another media type', async () => {
    const send = await start('forever')
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: 'Bearer secret2' }, 401],
      [{ authorization, 'sec-fetch-site': 'cross-site' }, 403],
      [{ authorization, accept: 'image/png' }, 406],
    ] as const) {
      const response = await send({ target, headers })
      expect(response.status).toBe(status)
      expect(response.body).not.toContain('forever')
    }
  })

  it('is refused with 409 while a debugger may be attached', async () => {
    const send = await start('forever', ['--inspect=127.0.0.1:0'])
    const response = await send({ target, headers: { authorization } })
    expect(response.status).toBe(409)
    expect(JSON.parse(response.body).detail).toBe('The port of the inspector is open; close it to read stacks here.')
  })
})

function methodsOf({ stackTrace }: { readonly stackTrace: readonly { readonly methodName: string }[] }) {
  return stackTrace.map(({ methodName }) => methodName)
}
