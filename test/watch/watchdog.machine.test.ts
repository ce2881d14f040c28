import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { createFifo } from '../support/fifo.ts'
import { createRawClient, type RawResponse } from '../support/raw-client.ts'
import { type Service, startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

const cwd = resolve(import.meta.dirname, '../..')

/** Requests liveness until the response is the expected one. */
function until(probe: Service['probe'], isExpected: (response: RawResponse) => boolean): Promise<RawResponse> {
  return eventually(async () => {
    const response = await probe()
    if (!isExpected(response)) throw new Error(`${response.status} ${response.body}`)
    return response
  })
}

const isUp = ({ status }: RawResponse) => status === 200
const isDown = ({ status }: RawResponse) => status === 503
const hasStack = ({ body }: RawResponse) => body.includes('"stack"')

describe('a watchdog of the built package', () => {
  const start = (flags: readonly string[] = []) => startService({ stall: '500ms', flags })
  const reported = /^reported watchdog: the event loop was blocked for (\d+)ms$/

  it('responds with 200, with 503 and the stack while the loop is blocked, and with 200 again', async () => {
    const { child, probe, loop } = await start()
    await until(probe, isUp)
    const release = await loop()
    const { details } = JSON.parse((await until(probe, hasStack)).body)
    expect(Number(/^the event loop has been blocked for (\d+)ms$/.exec(details.error)?.[1])).toBeGreaterThan(500)
    // What the loop calls may be on top of it.
    expect(details.stack.slice(0, 2)).toContainEqual(expect.stringMatching(/^at loopForever \(.*:\d+:\d+\)$/))
    await release()
    await until(probe, isUp)
    expect(Number(reported.exec(await child.out.line(reported))?.[1])).toBeGreaterThan(500)
    await child.out.line(/^ {4}at loopForever/)
    await child.err.line(/^upkeep: the event loop has been blocked for \d+ms$/)
    await child.err.line(/^ {4}at loopForever \(/)
  })

  it('detects a second stall as well as the first', async () => {
    const { child, probe, loop } = await start()
    for (const nth of [1, 2]) {
      const release = await loop()
      await until(probe, isDown)
      await release()
      await until(probe, isUp)
      await child.out.line(reported, nth)
    }
  })

  it('reports no stack inside a system call, after which the loop continues', async () => {
    const { child, probe, loop } = await start()
    const { path, untilRead } = createFifo()
    child.writeInput(`read ${path}\n`)
    const end = await untilRead()
    const { details } = JSON.parse((await until(probe, isDown)).body)
    expect(details).toEqual({ error: expect.stringMatching(/blocked for \d+ms$/) })
    end()
    await until(probe, isUp)
    const release = await loop()
    expect((await until(probe, hasStack)).body).toContain('loopForever')
    await release()
    await until(probe, isUp)
  })

  it('does not read the stack while a debugger is attached', async () => {
    const { child, probe, loop } = await start(['--inspect=127.0.0.1:0'])
    const release = await loop()
    await until(probe, isDown)
    await release()
    await until(probe, isUp)
    await child.out.line(reported)
    expect([...child.out.lines, ...child.err.lines].join('\n')).not.toContain('at loopForever')
  })

  it('does not count the time in which the whole process is frozen', async () => {
    const { child, probe } = await startService({ stall: '2s' })
    await until(probe, isUp)
    child.process.kill('SIGSTOP')
    // Longer than the stall: this time has to pass.
    await setTimeout(3_000)
    child.process.kill('SIGCONT')
    expect(await probe()).toMatchObject({ status: 200 })
    expect([child.err.lines, child.out.lines.slice(1)]).toEqual([[], []])
  })

  it('is started by a program in CommonJS', async () => {
    const program = `
      const { createManagement } = require('upkeep')
      const { watchdog } = require('upkeep/node')
      function blockTheLoop() { for (;;); }
      watchdog(createManagement(), { port: 0, stall: '500ms' }).then(({ port }) => {
        console.log('port ' + port)
        blockTheLoop()
      })`
    const child = startChild(process.execPath, ['--input-type=commonjs', '-e', program], { cwd })
    onTestFinished(() => child.kill())
    const send = createRawClient(Number((await child.out.line(/^port /)).slice('port '.length)))
    const { body } = await until(() => send({ target: '/management/health/liveness' }), hasStack)
    expect(JSON.parse(body).details.stack[0]).toMatch(/^at blockTheLoop \(/)
  })

  it.each([
    ['throws', "throw new Error('no log')"],
    ['rejects', "return Promise.reject(new Error('no log'))"],
  ])('continues when its report %s', async (_how, fail) => {
    const program = `
      import { setTimeout } from 'node:timers/promises'
      import { createManagement } from 'upkeep'
      import { watchdog } from 'upkeep/node'
      let isReported = false
      const report = () => {
        isReported = true
        ${fail}
      }
      const { port } = await watchdog(createManagement(), { port: 0, stall: '100ms', report })
      while (!isReported) {
        for (const end = performance.now() + 300; performance.now() < end; );
        await setTimeout(20)
      }
      console.log((await fetch('http://127.0.0.1:' + port + '/management/health/liveness')).status)`
    const child = startChild(process.execPath, ['--input-type=module', '-e', program], { cwd })
    onTestFinished(() => child.kill())
    expect(await child.ended).toBe(0)
    expect(child.out.lines).toEqual(['200'])
  })

  it('does not keep the process alive', async () => {
    const program = `
      import { createManagement } from 'upkeep'
      import { watchdog } from 'upkeep/node'
      await watchdog(createManagement(), { port: 0 })`
    const child = startChild(process.execPath, ['--input-type=module', '-e', program], { cwd })
    onTestFinished(() => child.kill())
    expect(await child.ended).toBe(0)
  })
})
