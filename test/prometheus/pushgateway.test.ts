import { createMeterRegistry } from 'upkeep/metrics'
import { deletePushedMetrics, pushMetrics } from 'upkeep/prometheus'
import { expect, it } from 'vitest'
import { describeServer } from '../support/describe-server.ts'
import { findProgram } from '../support/programs.ts'
import { startPushgateway } from '../support/start-pushgateway.ts'
import { meters } from './import-meters.ts'

describeServer(
  {
    name: 'the Pushgateway',
    program: findProgram('prometheus-pushgateway'),
    install: 'apt-get install -y prometheus-pushgateway',
    start: startPushgateway,
  },
  (server) => {
    const page = async () => (await fetch(`${server().url}/metrics`)).text()
    const group = { job: 'im/port', grouping: { instance: 'eu-1', shard: '' } }

    it('shows the pushed metrics with their group until they are deleted', async () => {
      const { url } = server()
      await pushMetrics(meters(), { url, ...group })
      const pushed = await page()
      expect(pushed).toContain('rows_imported_total{instance="eu-1",job="im/port",shard="",table="a \\"b\\"\\\\"} 17\n')
      expect(pushed).toMatch(/import_seconds_bucket\{instance="eu-1",job="im\/port",shard="",le="1"\} 1\n/)
      await deletePushedMetrics({ url, ...group })
      // It responds with 202, and deletes later.
      await expect.poll(page).not.toContain('rows_imported_total')
    })

    it('keeps other names in mode "add", and removes them in mode "replace"', async () => {
      const { url } = server()
      await pushMetrics(meters(), { url, ...group })
      const more = createMeterRegistry()
      more.counter('rows.skipped').increment()
      await pushMetrics(more, { url, ...group, mode: 'add' })
      expect(await page()).toMatch(/rows_imported_total\{.*rows_skipped_total\{/s)
      await pushMetrics(more, { url, ...group })
      expect(await page()).not.toContain('rows_imported_total')
      await deletePushedMetrics({ url, ...group })
    })
  },
)
