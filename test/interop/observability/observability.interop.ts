import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCertificate } from '../../support/certificate.ts'
import { type Child, startChild } from '../../support/child.ts'
import { createMemoryGroup } from '../../support/memory-group.ts'
import { createConsumer } from '../../support/package/consumer.ts'
import { unpackPackage } from '../../support/package/packed.ts'
import { findProgram } from '../../support/programs.ts'
import type { TestServer } from '../../support/server-process.ts'
import { queryPrometheus, startPrometheus } from '../../support/start-prometheus.ts'
import { builtProgram } from '../programs.ts'

const shipped = resolve(import.meta.dirname, '../../../deploy/observability')
const conventions = ['micrometer', 'opentelemetry'] as const
const patiently = { timeout: 180_000, interval: 1_000 }
const patientTest = { timeout: 600_000 }

/** What fires for a service of its own, whose event loop is never idle and whose memory reaches its limit. */
const ofBusyService = ['UpkeepMemoryNearLimit', 'UpkeepMemoryGrows', 'UpkeepEventLoopBusy']
const memoryLimit = 256 * 2 ** 20

interface Dashboard {
  readonly title: string
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const packed = unpackPackage()
const folder = mkdtempSync(join(tmpdir(), 'upkeep-observability-'))
afterAll(() => {
  packed.remove()
  rmSync(folder, { recursive: true })
})

/** Writes the shipped rules with a second for each minute. */
function writeFastRules(convention: string): string {
  const seconds = { m: 1, h: 60 }
  const fast = readFileSync(join(shipped, `rules/${convention}.yml`), 'utf8')
    .replace(/\[(\d+)([mh])\]/g, (_, count, unit: 'm' | 'h') => `[${Math.max(3, count * seconds[unit])}s]`)
    .replace(/for: (\d+)m/g, 'for: $1s')
    // Several rules of one Prometheus may not record the same.
    .replaceAll('job:upkeep_', `job:${convention}_`)
    .replaceAll('name: upkeep-', `name: ${convention}-`)
  const file = join(folder, `${convention}.yml`)
  writeFileSync(file, fast)
  return file
}

/** Fills the variables of a dashboard. */
const insert = (query: string, job: string) =>
  query.replaceAll('$__rate_interval', '10s').replaceAll('$job', job).replaceAll('$instance', '.*')

describe('the shipped dashboards and rules, with Prometheus 3 and services under load', () => {
  const children: Child[] = []
  const groups: ReturnType<typeof createMemoryGroup>[] = []
  let prometheus: TestServer
  let load = true
  const loads: Promise<void>[] = []

  beforeAll(async () => {
    const { cert } = createCertificate(findProgram('openssl') ?? 'openssl')
    const consumer = createConsumer(packed, ['pg', 'amqplib'])
    const start = async (file: string, variables: NodeJS.ProcessEnv, within: readonly string[] = []) => {
      writeFileSync(join(consumer, file), readFileSync(join(import.meta.dirname, file)))
      const [command = '', ...words] = [...within, process.execPath, file]
      const child = startChild(command, words, { cwd: consumer, env: { PATH: process.env['PATH'], ...variables } })
      children.push(child)
      const line = await child.out.line(/^port \d+$/).catch((error: Error) => {
        throw new Error(`${file} does not start: ${child.err.lines.join('\n')}`, { cause: error })
      })
      return Number(line.slice('port '.length))
    }
    const ports = await Promise.all(
      conventions.map((convention) =>
        start('service.mjs', {
          ...{ CONVENTIONS: convention, CERTIFICATE: cert, QUEUE: `observed-${convention}` },
          DATABASE: 'postgres://postgres:postgres@127.0.0.1:5432/postgres',
        }),
      ),
    )
    const busy = await Promise.all(
      conventions.map((convention) => {
        const group = createMemoryGroup(memoryLimit)
        groups.push(group)
        return start('busy-service.mjs', { CONVENTIONS: convention }, group.within)
      }),
    )
    const place = async (port: number, first: number) => {
      for (let id = first; load; id += 6) {
        await fetch(`http://127.0.0.1:${port}/orders/${id}`).then(
          (response) => response.arrayBuffer(),
          () => {},
        )
      }
    }
    for (const port of ports) for (let first = 1; first <= 6; first += 1) loads.push(place(port, first))
    const path = '/management/prometheus'
    const jobs = Object.fromEntries(
      conventions.flatMap((convention, at) => [
        [convention, { port: ports[at] ?? 0, path }],
        [`busy-${convention}`, { port: busy[at] ?? 0, path }],
      ]),
    )
    prometheus = await startPrometheus(
      { ...jobs, gone: { port: 9, path } },
      { command: builtProgram('UPKEEP_PROMETHEUS'), rules: conventions.map(writeFastRules) },
    )
  })
  afterAll(async () => {
    load = false
    await Promise.all(loads)
    await prometheus?.dispose()
    for (const child of children) await child.kill()
    for (const group of groups) group.remove()
  })

  const valuesOf = async (query: string) => {
    type Found = { readonly result: readonly { readonly value: readonly [number, string] }[] }
    const { result } = await queryPrometheus<Found>(prometheus, 'query', { query })
    return result.map(({ value: [, value] }) => Number(value))
  }

  describe.each(conventions)('with the names of %s', (convention) => {
    const files = readdirSync(join(shipped, 'dashboards', convention))
    it.each(files)('every query of %s has values, none of which is NaN', patientTest, async (file) => {
      const { panels }: Dashboard = JSON.parse(readFileSync(join(shipped, 'dashboards', convention, file), 'utf8'))
      expect(panels.length).toBeGreaterThan(2)
      const wrong = async () => {
        const found: string[] = []
        for (const { title, targets } of panels) {
          for (const { expr } of targets) {
            const values = await valuesOf(insert(expr, convention))
            if (values.length === 0 || values.some(Number.isNaN)) found.push(`${title}: ${expr}: ${values}`)
          }
        }
        return found
      }
      await expect.poll(wrong, patiently).toEqual([])
    })

    const rules = readFileSync(join(shipped, `rules/${convention}.yml`), 'utf8')
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
    it.each(alerts)('%s fires', patientTest, async (name) => {
      const ofService = ofBusyService.includes(name) ? `busy-${convention}` : convention
      const job = name === 'UpkeepInstanceDown' ? 'gone' : ofService
      const firing = () =>
        valuesOf(`count(max_over_time(ALERTS{alertname="${name}",alertstate="firing",job="${job}"}[5m]))`)
      await expect.poll(async () => (await firing()).length, patiently).toBe(1)
    })
  })
})
