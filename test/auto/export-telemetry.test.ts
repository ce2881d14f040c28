import { describe, expect, it } from 'vitest'
import { applicationPort, httpProgram, upkeepLines, writeApplication } from '../support/auto-application.ts'
import { startReceiver } from '../support/otlp/receiver.ts'

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('metrics are exported without a token, the last ones during a graceful shutdown', async () => {
    const receiver = await startReceiver()
    try {
      const application = await writeApplication({ 'app.mjs': httpProgram })
      const child = application.start({
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          UPKEEP_SHUTDOWN: 'graceful',
          UPKEEP_SHUTDOWN_DELAY: '0s',
        },
      })
      await applicationPort(child)
      expect(await child.err.line(/health at/)).toContain('exports by OTLP')
      child.process.kill('SIGTERM')
      expect(await child.ended).toBe('SIGTERM')
      expect(upkeepLines(child).at(-1)).toContain('shutdown: telemetry done')
      const metrics = receiver.exports.filter(({ path }) => path === '/v1/metrics')
      expect(metrics.flatMap((each) => each.metrics.map(({ name }) => name))).toContain('process.uptime')
      expect(metrics[0]?.resource).toContainEqual({ key: 'service.name', value: { stringValue: 'shop' } })
    } finally {
      await receiver.dispose()
    }
  })

  it('of one signal only that one is exported, and an application ends without waiting for it', async () => {
    const receiver = await startReceiver()
    try {
      const application = await writeApplication({ 'app.mjs': httpProgram })
      const child = application.start({
        env: { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics`, OTEL_METRIC_EXPORT_INTERVAL: '100' },
      })
      await child.err.line(/health at/)
      receiver.respondWith('hang', 'hang')
      await receiver.arrived(1)
      child.writeInput('end')
      expect(await child.ended).toBe(0)
      expect(new Set(receiver.exports.map(({ path }) => path))).toEqual(new Set(['/v1/metrics']))
    } finally {
      await receiver.dispose()
    }
  })

  it('that is invalid is reported, and health is served', async () => {
    const application = await writeApplication({ 'app.mjs': httpProgram })
    const child = application.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' } })
    await child.err.line(/health at/)
    expect(await child.err.line(/telemetry is not exported/)).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
    expect((await application.get('/livez')).status).toBe(200)
  })
})
