import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import {
  exportedLabel,
  exportedName,
  namesTakenBy,
  onlySampleName,
  otlpUnit,
  sampleNamesOf,
} from '../../src/prometheus/naming.ts'
import { meterId } from './snapshots.ts'

type Kind = MeterSnapshot['kind']

function name(kind: Kind, meter: string, baseUnit?: string): string {
  return exportedName(kind, meterId(meter, baseUnit === undefined ? {} : { baseUnit })).name
}

describe('exportedName', () => {
  it.each<[Kind, string, string | undefined, string]>([
    ['counter', 'orders.placed', undefined, 'orders_placed'],
    ['counter', 'orders.placed.total', undefined, 'orders_placed'],
    ['counter', 'orders_placed_total', undefined, 'orders_placed'],
    ['counter', 'jvm.gc.memory.allocated', 'bytes', 'jvm_gc_memory_allocated_bytes'],
    ['counter', 'read.total', 'bytes', 'read_bytes'],
    ['counter', 'read.bytes', 'bytes', 'read_bytes'],
    ['counter', 'read.bytes.total', 'bytes', 'read_bytes'],
    ['gauge', 'jvm.memory.used', 'bytes', 'jvm_memory_used_bytes'],
    ['gauge', 'disk.total', 'bytes', 'disk_total_bytes'],
    ['gauge', 'disk.total', undefined, 'disk'],
    ['gauge', 'process.uptime', 'seconds', 'process_uptime_seconds'],
    ['gauge', 'app.info', undefined, 'app'],
    ['gauge', 'app_info', undefined, 'app'],
    ['gauge', 'info', undefined, 'info'],
    ['gauge', 'a.total.bucket', undefined, 'a'],
    ['gauge', 'connections', 'requests/s', 'connections_requests_s'],
    ['gauge', 'share', '%', 'share'],
    ['gauge', 'rate', 'By/s', 'rate_bytes_per_second'],
    ['gauge', 'rate', '{request}/min', 'rate_per_minute'],
    ['gauge', 'share', '1', 'share_ratio'],
    ['counter', 'share', '1', 'share'],
    ['counter', 'orders.placed', '{order}', 'orders_placed'],
    ['summary', 'size', '{item}By', 'size_By'],
    ['summary', 'size', '{item', 'size_item'],
    ['gauge', 'voltage', 'V{rms}', 'voltage_V'],
    ['gauge', 'voltage', 'kV{rms}{peak}', 'voltage_kV'],
    ['gauge', 'share', '', 'share'],
    ['gauge', 'share', 'ratio', 'share_ratio'],
    ['gauge', 'pool.count', '{connection}', 'pool_count'],
    ['counter', 'sent.messages', '{message}', 'sent_messages'],
    ['timer', 'http.server.requests', 'seconds', 'http_server_requests_seconds'],
    ['timer', 'http.seconds', 'seconds', 'http_seconds'],
    ['functionTimer', 'cache.gets', 'seconds', 'cache_gets_seconds'],
    ['longTaskTimer', 'jobs', 'seconds', 'jobs_seconds'],
    ['summary', 'payload.size', 'bytes', 'payload_size_bytes'],
    ['summary', 'payload', undefined, 'payload'],
    ['gauge', 'camelCase.andMore', undefined, 'camelCase_andMore'],
    ['gauge', 'a:b-c d/é😀', undefined, 'a_b_c_d___'],
    ['gauge', 'trailing..', undefined, 'trailing'],
    ['gauge', 'a..b', undefined, 'a__b'],
    ['gauge', '5xx', undefined, '_5xx'],
    ['gauge', '', undefined, '_'],
    ['gauge', '...', undefined, '_'],
    ['gauge', '.total', undefined, '_total'],
    ['counter', 'total', undefined, 'total'],
  ])('names a %s %j in %j %s', (kind, meter, baseUnit, expected) => {
    expect(name(kind, meter, baseUnit)).toBe(expected)
  })

  it('returns the unit only if the name ends in it', () => {
    const unitOf = (kind: Kind, meter: string, baseUnit: string) =>
      exportedName(kind, meterId(meter, { baseUnit })).unit
    expect(unitOf('gauge', 'disk.free', 'bytes')).toBe('bytes')
    expect(unitOf('counter', 'read.bytes.total', 'bytes')).toBe('bytes')
    expect(unitOf('gauge', 'app.info', 'bytes')).toBeUndefined()
    expect(unitOf('gauge', 'disk', 'total')).toBeUndefined()
  })

  it.each<[Kind, string, string]>([
    ['counter', 'x', 'counter'],
    ['gauge', 'x', 'gauge'],
    ['gauge', 'x.info', 'info'],
    ['gauge', '.info', 'gauge'],
    ['timer', 'x.info', 'distribution'],
    ['timer', 'x', 'distribution'],
    ['summary', 'x', 'distribution'],
    ['functionTimer', 'x', 'distribution'],
    ['longTaskTimer', 'x', 'gaugeDistribution'],
  ])('exports a %s %s as a %s', (kind, meter, type) => {
    expect(exportedName(kind, meterId(meter)).type).toBe(type)
  })
})

describe('namesTakenBy', () => {
  it('returns every sample name and family name of both formats', () => {
    const names = (kind: Kind, meter: string) =>
      namesTakenBy(exportedName(kind, meterId(meter, { baseUnit: 'seconds' })))
    expect(names('counter', 'x')).toEqual(['x_seconds', 'x_seconds_total', 'x_seconds_created'])
    expect(names('gauge', 'x')).toEqual(['x_seconds'])
    expect(names('gauge', 'x.info')).toEqual(['x', 'x_info'])
    expect(names('timer', 'x')).toEqual(
      ['', '_bucket', '_sum', '_count', '_created', '_max'].map((suffix) => `x_seconds${suffix}`),
    )
    expect(names('longTaskTimer', 'x')).toEqual(
      ['', '_bucket', '_gsum', '_gcount', '_sum', '_count', '_max'].map((suffix) => `x_seconds${suffix}`),
    )
  })
})

describe('sampleNamesOf', () => {
  it.each<[Kind, string, readonly string[]]>([
    ['counter', 'x', ['x_total']],
    ['gauge', 'x', ['x']],
    ['gauge', 'x.info', ['x_info']],
    ['timer', 'x', ['x', 'x_bucket', 'x_sum', 'x_count', 'x_max']],
    ['longTaskTimer', 'x', ['x', 'x_bucket', 'x_gsum', 'x_gcount', 'x_sum', 'x_count', 'x_max']],
  ])('returns the names of a %s %s without the creation time', (kind, meter, expected) => {
    expect(sampleNamesOf(exportedName(kind, meterId(meter)))).toEqual(expected)
  })
})

describe('onlySampleName', () => {
  it.each<[Kind, string, string]>([
    ['counter', 'x', 'x_total'],
    ['gauge', 'x', 'x'],
    ['gauge', 'x.info', 'x_info'],
    ['timer', 'x', ''],
    ['longTaskTimer', 'x', ''],
  ])('of a %s %s is %j', (kind, meter, expected) => {
    expect(onlySampleName(exportedName(kind, meterId(meter)))).toBe(expected)
  })
})

describe('exportedLabel', () => {
  it.each<[string, Kind, string]>([
    ['uri', 'timer', 'uri'],
    ['http.route', 'timer', 'http_route'],
    ['camelCase', 'gauge', 'camelCase'],
    ['a:b', 'gauge', 'a_b'],
    ['1st', 'gauge', '_1st'],
    ['', 'gauge', '_'],
    ['__name__', 'gauge', '_name__'],
    ['__proto__', 'counter', '_proto__'],
    ['___x', 'counter', '_x'],
    ['a__b', 'counter', 'a__b'],
    ['_private', 'counter', '_private'],
    ['le', 'counter', 'le'],
    ['quantile', 'gauge', 'quantile'],
    ['le', 'timer', 'exported_le'],
    ['le', 'longTaskTimer', 'exported_le'],
    ['quantile', 'summary', 'exported_quantile'],
    ['le', 'functionTimer', 'exported_le'],
  ])('names the key %j of a %s %s', (key, kind, expected) => {
    expect(exportedLabel(key, kind)).toBe(expected)
  })
})

describe('otlpUnit', () => {
  it.each([
    ['x', 'seconds', 's'],
    ['x', 'bytes', 'By'],
    ['x', 'percent', '%'],
    ['x', undefined, ''],
    ['jvm.threads.live', 'threads', '{thread}'],
    ['process.files.open', 'files', '{file}'],
    ['table_rows', 'rows', '{rows}'],
    ['threadsafe', 'threads', 'threads'],
    ['table.size', 'rows', 'rows'],
  ])('of %j in %j is %j', (name, baseUnit, expected) => {
    expect(otlpUnit({ name, baseUnit })).toBe(expected)
  })
})
