import { afterEach, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { type OtlpReceiver, type Reply, startReceiver } from '../support/otlp/receiver.ts'
import { exporters } from '../support/otlp/telemetry.ts'

let receiver: OtlpReceiver | undefined
let child: Child | undefined
afterEach(async () => {
  await child?.kill()
  await receiver?.dispose()
})

describe.each(exporters)('with the exporter %s:', (exporter) => {
  /** Runs a program that starts telemetry, leaves a span and a counter behind and then does what is said. */
  async function run(url: string, options: object, end: string): Promise<number | NodeJS.Signals | null> {
    const program = `
    import { createMeterRegistry } from ${JSON.stringify(built('build/node_modules/upkeep/dist/metrics.js'))}
    import { startTelemetry } from ${JSON.stringify(built('build/node_modules/upkeep/dist/otlp.js'))}
    import { traced } from ${JSON.stringify(built('build/node_modules/upkeep/dist/index.js'))}
    const meters = createMeterRegistry()
    const telemetry = await startTelemetry({
      ...{ management: { meters }, url: ${JSON.stringify(url)}, exporter: ${JSON.stringify(exporter)} },
      ...{ tracing: { delay: '1ms' }, ...${JSON.stringify(options)} },
    })
    meters.counter('c').increment()
    traced('work', () => {})
    ${end}
    console.log('done')
  `
    child = startChild(process.execPath, ['--input-type=module', '--eval', program])
    const code = await child.ended
    expect(child.out.lines).toEqual(['done'])
    return code
  }

  // Each of these would be ended by the limit of the test, were the process kept alive by what is under way.
  const neverExporting = { timeout: '1h', metrics: { step: '2h' }, flushTimeout: '100ms' }
  const untilExported = 'await new Promise((resolve) => setTimeout(resolve, 50))'

  describe('a process with telemetry', () => {
    it('exits when its work is done, with an unreachable receiver and short steps', async () => {
      const url = `http://127.0.0.1:${await freePort()}`
      expect(await run(url, { timeout: '400ms', metrics: { step: '20ms' } }, untilExported)).toBe(0)
    })

    it.each<readonly [Reply]>([['hang'], ['reset'], [{ status: 503 }]])(
      'exits when its work is done, with the reply %j',
      async (reply) => {
        receiver = await startReceiver()
        receiver.respondWith(...new Array<Reply>(100).fill(reply))
        expect(await run(receiver.url, { timeout: '400ms', metrics: { step: '20ms' } }, untilExported)).toBe(0)
        expect(receiver.exports.length).toBeGreaterThan(0)
      },
    )

    it.each<readonly [string, Reply]>([
      ['hangs', 'hang'],
      ['requests a retry much later', { status: 503, headers: { 'Retry-After': '600' } }],
      ['resets', 'reset'],
    ])('exits after shutdown when the receiver %s', async (_, reply) => {
      receiver = await startReceiver()
      receiver.respondWith(...new Array<Reply>(100).fill(reply))
      expect(await run(receiver.url, neverExporting, `${untilExported}\nawait telemetry.shutdown()`)).toBe(0)
    })

    it('exits after shutdown when the receiver is unreachable', async () => {
      const url = `http://127.0.0.1:${await freePort()}`
      expect(await run(url, neverExporting, 'await telemetry.shutdown()')).toBe(0)
      expect(child?.err.lines.join()).toContain('failed to export')
    })

    it('is not kept alive by idle telemetry', async () => {
      receiver = await startReceiver()
      expect(await run(receiver.url, { metrics: { step: '1h' }, tracing: { delay: '1h' } }, '')).toBe(0)
      expect(receiver.exports).toEqual([])
    })

    it('has sent everything when shutdown resolves', async () => {
      receiver = await startReceiver()
      expect(await run(receiver.url, {}, 'await telemetry.shutdown()')).toBe(0)
      expect(receiver.exports.flatMap(({ spans }) => spans).map(({ name }) => name)).toEqual(['work'])
      expect(receiver.exports.flatMap(({ metrics }) => metrics).map(({ name }) => name)).toContain('c')
    })
  })
})
