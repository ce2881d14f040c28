import { afterEach, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { type OtlpReceiver, type Reply, startReceiver } from '../support/otlp/receiver.ts'
import { exporters } from '../support/otlp/telemetry.ts'

const receivers: OtlpReceiver[] = []
let child: Child | undefined
afterEach(async () => {
  await child?.kill()
  for (const receiver of receivers.splice(0)) await receiver.dispose()
})

/** Resolves in the program once its input has ended; then nothing of the input keeps it alive. */
const untilTold = "await new Promise((resolve) => process.stdin.resume().once('end', resolve))"

describe.each(exporters)('with the exporter %s:', (exporter) => {
  /**
   * Runs a program that starts telemetry, leaves a span and a counter behind and then does what is said. Its input ends
   * when `ready` resolves.
   */
  async function run(
    urls: string | readonly string[],
    options: object,
    end: string,
    ready: (child: Child) => unknown = () => undefined,
  ): Promise<number | NodeJS.Signals | null> {
    const program = `
    import { createMeterRegistry } from ${JSON.stringify(built('build/node_modules/upkeep/dist/metrics.js'))}
    import { startTelemetry } from ${JSON.stringify(built('build/node_modules/upkeep/dist/otlp.js'))}
    import { traced } from ${JSON.stringify(built('build/node_modules/upkeep/dist/index.js'))}
    for (const url of ${JSON.stringify([urls].flat())}) {
      const meters = createMeterRegistry()
      const telemetry = await startTelemetry({
        ...{ management: { meters }, url, exporter: ${JSON.stringify(exporter)} },
        ...{ tracing: { delay: '1ms' }, ...${JSON.stringify(options)} },
      })
      meters.counter('c').increment()
      traced('work', () => {})
      ${end}
    }
    console.log('done')
  `
    child = startChild(process.execPath, ['--input-type=module', '--eval', program])
    await ready(child)
    child.process.stdin?.end()
    const code = await child.ended
    expect(child.out.lines).toEqual(['done'])
    return code
  }

  async function startReceiverHere(reply?: Reply): Promise<OtlpReceiver> {
    const receiver = await startReceiver()
    receivers.push(receiver)
    if (reply !== undefined) receiver.respondWith(...new Array<Reply>(100).fill(reply))
    return receiver
  }

  const unreachable = async () => `http://127.0.0.1:${await freePort()}`

  // Each of these would be ended by the limit of the test, were the process kept alive by what is under way.
  const neverExporting = { timeout: '1h', metrics: { step: '2h' }, flushTimeout: '100ms' }
  const untilDown = { timeout: '100ms', metrics: { step: '20ms' } }

  describe('a process with telemetry', () => {
    it('exits when its work is done, with an unreachable receiver and short steps', async () => {
      const failed = (running: Child) => running.err.line(/receiver unreachable/)
      expect(await run(await unreachable(), untilDown, untilTold, failed)).toBe(0)
    })

    it.each<readonly [Reply]>([['hang'], ['reset'], [{ status: 503 }]])(
      'exits when its work is done, with the reply %j',
      async (reply) => {
        const receiver = await startReceiverHere(reply)
        expect(await run(receiver.url, untilDown, untilTold, () => receiver.arrived(1))).toBe(0)
      },
    )

    it('exits after shutdown when receivers hang, request a retry much later, reset or are unreachable', async () => {
      const replies: readonly Reply[] = ['hang', { status: 503, headers: { 'Retry-After': '600' } }, 'reset']
      const away = await Promise.all(replies.map((reply) => startReceiverHere(reply)))
      const urls = [...away.map(({ url }) => url), await unreachable()]
      expect(await run(urls, neverExporting, 'await telemetry.shutdown()')).toBe(0)
      for (const url of urls) expect(child?.err.lines.join()).toMatch(new RegExp(`failed to export .* to ${url}/`))
    })

    it('is not kept alive by idle telemetry', async () => {
      const receiver = await startReceiverHere()
      expect(await run(receiver.url, { metrics: { step: '1h' }, tracing: { delay: '1h' } }, '')).toBe(0)
      expect(receiver.exports).toEqual([])
    })

    it('has sent everything when shutdown resolves', async () => {
      const receiver = await startReceiverHere()
      expect(await run(receiver.url, {}, 'await telemetry.shutdown()')).toBe(0)
      expect(receiver.exports.flatMap(({ spans }) => spans).map(({ name }) => name)).toEqual(['work'])
      expect(receiver.exports.flatMap(({ metrics }) => metrics).map(({ name }) => name)).toContain('c')
    })
  })
})
