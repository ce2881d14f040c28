import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { mergeRuleOf, namedRules } from '../../../src/cluster/merge/merge-rules.ts'
import type { GaugeRule } from '../../../src/cluster/series-definition.ts'
import { runtimeDefinitions } from '../../../src/runtime/opentelemetry/runtime-definitions.ts'
import { bindRuntimeMeters } from '../../../src/runtime/runtime-meters.ts'

const root = join(import.meta.dirname, '../../..')
const listed = new Set(namedRules.flatMap(({ names }) => names))

/** Meters of the runtime that every thread records itself, which are merged by their kind. */
const addedByThread = ['*gc.pause', 'nodejs.eventloop.delay', 'nodejs.eventloop.time', 'v8js.gc.duration']

function isDecided(name: string): boolean {
  const template = name.replace(/^(?:jvm|nodejs)\./, '*')
  return [name, template].some((each) => listed.has(each) || addedByThread.includes(each))
}

/** The names in calls that create meters, with `*` for the prefix. */
function namesInSources(): readonly string[] {
  const folder = join(root, 'src/runtime')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const calls = text.matchAll(
        /\b(?:gauge|functionCounter|functionTimer|counter|counters|timer|timers|summary)\(\s*(['`])([^'`]+)\1/g,
      )
      return [...calls].map(([, , name = '']) => name.replace(/^\$\{prefix\}/, '*'))
    })
}

describe('the table of merge rules', () => {
  it('decides about each meter of the runtime', async () => {
    const names = new Set([...namesInSources(), ...Object.keys(runtimeDefinitions)])
    for (const conventions of ['micrometer', 'opentelemetry'] as const) {
      for (const prefix of ['jvm', 'nodejs'] as const) {
        const meters = createMeterRegistry()
        const stop = bindRuntimeMeters(meters, { prefix }, systemClock, () => {}, conventions)
        for (const name of meters.names()) names.add(name)
        stop()
        meters.close()
      }
    }
    expect(names.size).toBeGreaterThan(60)
    expect([...names].filter((name) => !isDecided(name))).toEqual([])
  })

  it('lists no name twice', () => {
    expect(listed.size).toBe(namedRules.flatMap(({ names }) => names).length)
  })

  it('is what docs/guides/cluster.md says', () => {
    const page = readFileSync(join(root, 'docs/guides/cluster.md'), 'utf8')
    for (const { scope, gauge, names } of namedRules) {
      const row = page.split('\n').find((line) => line.startsWith(`| ${scope} | \`${gauge}\` |`))
      expect([...(row?.matchAll(/`([^`]+)`/g) ?? [])].slice(1).map(([, name]) => name)).toEqual(names)
    }
  })

  it.each<[name: string, declared: Record<string, GaugeRule>, scope: string, gauge: GaugeRule]>([
    ['queue.size', {}, 'thread', 'each'],
    ['queue.size', { 'queue.size': 'sum' }, 'thread', 'sum'],
    ['constructor', {}, 'thread', 'each'],
    ['otlp.queue.size', {}, 'thread', 'sum'],
    ['otlp.queue.size', { 'otlp.queue.size': 'max' }, 'thread', 'max'],
    ['process.memory.rss', {}, 'process', 'each'],
    ['process.memory.rss', { 'process.memory.rss': 'sum' }, 'process', 'sum'],
    ['nodejs.threads.live', {}, 'process', 'each'],
    ['jvm.threads.live', {}, 'process', 'each'],
    ['disk.free', {}, 'machine', 'last'],
    ['disk.free', { 'disk.free': 'min' }, 'machine', 'min'],
    ['disk.free', { 'disk.free': 'each' }, 'machine', 'last'],
  ])('merges %s with %o', (name, declared, scope, gauge) => {
    expect(mergeRuleOf(name, declared)).toEqual({ scope, gauge })
  })

  it('is that of the member, unless there is another one for the name', () => {
    expect(mergeRuleOf('queue.size', {}, 'max').gauge).toBe('max')
    expect(mergeRuleOf('queue.size', { 'queue.size': 'sum' }, 'max').gauge).toBe('sum')
    expect(mergeRuleOf('disk.free', {}, 'sum').gauge).toBe('last')
  })
})
