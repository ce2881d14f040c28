import { createManagement } from 'upkeep'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runtimeDefinitions } from '../../src/runtime/opentelemetry/runtime-definitions.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { scrape } from '../support/scrape.ts'
import { seriesTags } from '../support/timed-operations.ts'

function start() {
  const management = createManagement({ conventions: 'opentelemetry', expose: ['health', 'prometheus'] })
  onTestFinished(() => management.close())
  const read = (name: string) => [...management.meters.snapshot(name)]
  const value = (name: string, at = 0) => {
    const one = read(name)[at]
    return one?.kind === 'gauge' || one?.kind === 'counter' ? one.value : Number.NaN
  }
  return { management, read, value }
}

describe('with the convention opentelemetry, the meters of the runtime', () => {
  it('have the names and attributes of the semantic conventions, and none of the names of a JVM', async () => {
    const { management, read } = start()
    collectGarbage()
    await expect.poll(() => read('v8js.gc.duration').length).toBeGreaterThan(0)
    const names = management.meters.names()
    const isExpected = (name: string) => process.platform === 'linux' || !/thread|unix/.test(name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(runtimeDefinitions).filter(isExpected)))
    expect(names.filter((name) => name.startsWith('jvm.'))).toEqual([])
    for (const [name, definition] of Object.entries(runtimeDefinitions)) {
      for (const one of read(name)) {
        expect(Object.keys(seriesTags(one))).toEqual(definition.attribute === undefined ? [] : [definition.attribute])
        expect(one.id.baseUnit).toBe(definition.baseUnit)
      }
    }
  })

  it('have plausible values', async () => {
    const { read, value } = start()
    expect(value('process.memory.usage')).toBeGreaterThan(1e7)
    expect(value('process.uptime')).toBeGreaterThan(0)
    expect(value('process.cpu.time')).toBeGreaterThan(0)
    expect(value('system.cpu.logical.count')).toBeGreaterThanOrEqual(1)
    expect(value('nodejs.eventloop.time')).toBeGreaterThan(0)
    const spaces = read('v8js.memory.heap.used').map((one) => seriesTags(one)['v8js.heap.space.name'])
    expect(spaces).toEqual(expect.arrayContaining(['new_space', 'old_space']))
    await expect.poll(() => value('nodejs.eventloop.delay.max')).toBeGreaterThanOrEqual(0)
    expect(value('nodejs.eventloop.delay.p50')).toBeLessThanOrEqual(value('nodejs.eventloop.delay.p99') + 1e-9)
  })

  it('are exported by the names that Prometheus gives them from OTLP', async () => {
    const { management } = start()
    const { text: page } = await scrape(management)
    expect(page).toMatch(/^nodejs_eventloop_utilization_ratio /m)
    expect(page).toMatch(/^nodejs_eventloop_time_seconds_total\{nodejs_eventloop_state="active"\} /m)
    expect(page).toMatch(/^v8js_memory_heap_used_bytes\{v8js_heap_space_name="new_space"\} /m)
    expect(page).toMatch(/^system_cpu_logical_count \d+$/m)
  })
})
