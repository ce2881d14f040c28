import type { MeterSnapshot } from 'upkeep/metrics'
import type { Exemplar } from '../../src/metrics/snapshot.ts'
import { counter, functionTimer, gauge, longTaskTimer, summary, timer } from './snapshots.ts'

const sampled: Exemplar = {
  value: 0.043,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  timestamp: 1_700_000_060.25,
}

/** What a well-behaved service has; one meter of every kind. */
const service: readonly MeterSnapshot[] = [
  gauge('application.info', 1, { tags: { name: 'orders', version: '1.4.2' }, description: 'The application' }),
  functionTimer('cache.gets', { count: 12, total: 0.75, tags: { cache: 'cities' } }),
  timer('http.server.requests', {
    description: 'Requests served',
    tags: { method: 'GET', status: '200', uri: '/orders/{id}' },
    count: 7,
    total: 1.25,
    max: 0.5,
    buckets: { bounds: [0.005, 0.1, 1], counts: [1, 4, 2, 0] },
    exemplars: [undefined, sampled, undefined, undefined],
  }),
  timer('http.server.requests', {
    tags: { method: 'POST', status: '500', uri: 'UNKNOWN' },
    count: 1234567,
    total: 98765.4321,
    max: 12,
    buckets: { bounds: [0.005, 0.1, 1], counts: [1_000_000, 234_560, 6, 1] },
    exemplars: [undefined, undefined, undefined, { ...sampled, value: 12 }],
  }),
  longTaskTimer('import.files', {
    tags: { job: 'nightly' },
    activeTasks: 3,
    duration: 95.5,
    max: 60,
    buckets: { bounds: [30, 120], counts: [2, 1, 0] },
  }),
  longTaskTimer('jobs', { activeTasks: 2, duration: 10.5, max: 8 }),
  gauge('jvm.memory.used', 4_194_304, { baseUnit: 'bytes', tags: { area: 'heap', id: 'old_space' } }),
  counter('orders.placed', 3, {
    tags: { region: 'eu' },
    description: 'Orders placed',
    exemplar: { ...sampled, value: 1 },
  }),
  counter('orders.placed', 2 ** 53, { tags: { region: 'us' } }),
  counter('received', 1.5e9, { baseUnit: 'bytes' }),
  summary('payload.size', {
    baseUnit: 'bytes',
    count: 3,
    total: 100.5,
    max: 60,
    percentiles: [
      { quantile: 0.5, value: 30 },
      { quantile: 0.99, value: 59.5 },
      { quantile: 1, value: 60 },
    ],
  }),
  timer('query', { count: 0, total: 0, max: 0, tags: { table: 'orders' } }),
]

const oddKeys = [
  { key: 'text.key', value: 'x' },
  { key: 'text-key', value: 'y' },
  { key: '__name__', value: 'z' },
  { key: '__proto__', value: 'p' },
  { key: '1st', value: '1' },
  { key: 'empty', value: '' },
]

/** Names, tags, descriptions and values that need care, and meters that are in each other's way. */
const nasty: readonly MeterSnapshot[] = [
  gauge('a.value', 1, {
    tags: { text: 'back\\slash "quote"\nnewline\ttab \\n' },
    description: 'back\\slash "quote"\nnewline',
  }),
  gauge('a.value', -0.5, { tags: { text: '} 1 # {a="b",c="d"} é 😀 \ud800' } }),
  gauge('a.value', Number.NaN, { tags: { text: 'nothing to read' } }),
  gauge('a.value', Number.POSITIVE_INFINITY, { tags: { text: 'up' } }),
  gauge('a.value', Number.NEGATIVE_INFINITY, { tags: { text: 'down' } }),
  gauge('a.value', 5e-324, { tags: oddKeys }),
  gauge('b.empty', 1, { tags: { a: '' } }),
  gauge('b.empty', 2, { tags: {} }),
  gauge('b.empty', 3, { tags: { b: '1', 'c.d': '2' } }),
  gauge('b.empty', 4, { tags: { b: '1', c_d: '2' } }),
  counter('c', 1, { exemplar: { ...sampled, traceId: 'x'.repeat(105) } }),
  counter('c', 1, { exemplar: { ...sampled, traceId: '😀'.repeat(49), spanId: 'n"\n' }, tags: { at: 'the limit' } }),
  counter('c', Number.NaN, { tags: { is: 'no counter' } }),
  counter('c', -1, { tags: { is: 'no counter' } }),
  counter('c', Number.POSITIVE_INFINITY, { tags: { is: 'endless' }, created: Number.NaN }),
  counter('c.total', 7),
  gauge('c_created', 8),
  timer('d', {
    count: 1,
    total: 1e-7,
    max: 1e-7,
    tags: { le: 'mine' },
    buckets: { bounds: [1e-7, 10], counts: [1, 0, 0] },
  }),
  timer('d', { count: 5, total: 5, max: 1, tags: { without: 'buckets' } }),
  functionTimer('d', { count: 2.9, total: 1, tags: { function: 'yes' } }),
  functionTimer('d', { count: Number.NaN, total: 1, tags: { function: 'broken' } }),
  gauge('d.seconds.max', 9),
  gauge('e.info', 1, { tags: { one: 'yes' } }),
  gauge('f.info', 2, { tags: { one: 'no' } }),
  gauge('', 1),
  gauge('5xx ratio!', 0.25, { baseUnit: '%' }),
]

export const goldenSeries: Readonly<Record<string, readonly MeterSnapshot[]>> = { service, nasty }
