import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coloursFor } from '../../../src/cli/output.ts'
import { bytes, count, share, time, timeOf } from '../../../src/cli/top/formats.ts'
import { columnsOf } from '../../../src/cli/top/shown-name.ts'
import { sortKeys } from '../../../src/cli/top/top-keys.ts'
import { chooseRoutes, plainLine, screenLines } from '../../../src/cli/top/top-screen.ts'
import { routeOf, sampleOf, view } from './samples.ts'

const plain = coloursFor({}, false)
const state = { sample: sampleOf(), problem: undefined, notice: undefined, view }

describe('the screen of upkeep top', () => {
  it('shows a service on 80 columns and 24 rows', () => {
    const lines = screenLines(state, 24, 80, plain)
    expect(lines).toHaveLength(24)
    expect(lines.slice(0, 8)).toEqual([
      `${timeOf(1_700_000_090_000)}  orders  1.4.2  (3f2a1c9)  node v22.13.0  pid 4242  host web-1  up 90 s`,
      'Health UP  liveness UP  readiness UP  db UP',
      'Requests 123/s  errors 0/s  active 3  p50 1.20 ms  p95 34.5 ms  p99 1.50 s',
      'Loop delay 12 ms  busy 46 %  GC 1.2 %  CPU 0.50 of 2 cores',
      'Memory 120M of 512M (23 %)  heap 45M of 256M (18 %)  external 3M',
      '',
      'ROUTE               RATE/s REQUESTS   ERRORS      P50      P95      P99      MAX',
      'GET /orders/{id}      12.3     1480        0  1.20 ms  34.5 ms   1.50 s   2.25 s',
    ])
    expect(lines.at(-1)).toBe('q quit  s sort:rate  / filter  r routes  p pause')
  })

  it('shows what is wrong above the routes', () => {
    const findings = ['a', 'b', 'c', 'd'].map((text) => ({ severity: 'critical' as const, text }))
    const sample = sampleOf({ findings, health: { ...sampleOf().health, components: { a: 'UP', db: 'DOWN' } } })
    const lines = screenLines({ ...state, sample, problem: 'refused', notice: 'restarted' }, 24, 80, plain)
    expect(lines[1]).toBe('Health UP  liveness UP  readiness UP  db DOWN  a UP')
    expect(lines.slice(5, 11)).toEqual(['! refused', '* restarted', '! a', '! b', '! c', ''])
  })

  it('shows mean and maximum of a service without a console, and how to read its routes', () => {
    const vitals = { ...sampleOf().vitals, p50: null, p95: null, p99: null, mean: 0.01, maximum: 0.2 }
    const sample = sampleOf({ source: 'metrics', vitals, routes: undefined })
    const lines = screenLines({ ...state, sample }, 24, 80, plain)
    expect(lines[2]).toMatch(/active 3 {2}mean 10 ms {2}max 200 ms$/)
    expect(lines[6]).toBe('Press r to read the routes: each is a request to the service.')
  })

  it('shows how many routes do not fit', () => {
    const routes = Array.from({ length: 40 }, (_, at) => routeOf({ route: `/${at}` }))
    const lines = screenLines({ ...state, sample: sampleOf({ routes }) }, 24, 80, plain)
    expect(lines).toHaveLength(24)
    expect(lines.at(-2)).toBe('25 more')
  })

  it('shows what the keys have chosen', () => {
    const sample = sampleOf({ members: ['0', '1'] })
    const footOf = (change: object) =>
      screenLines({ ...state, sample, view: { ...view, ...change } }, 24, 100, plain).at(-1)
    expect(footOf({ filter: 'or', member: '1', isPaused: true })).toBe(
      'PAUSED  q quit  s sort:rate  / filter:or  r routes  p pause  m member:1',
    )
    expect(footOf({ filter: 'or', isTyping: true })).toBe('filter: or_  Enter applies, Esc removes')
  })

  it('has the colours of statuses only where colours are used', () => {
    const [, health] = screenLines(state, 24, 80, coloursFor({}, true))
    expect(health).toContain('\u001b[32mHealth UP\u001b[39m')
    expect(screenLines(state, 24, 80, coloursFor({ NO_COLOR: '1' }, true))).toEqual(screenLines(state, 24, 80, plain))
  })

  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\u001b', '[', '日', '\u0301', '\ud800') }),
  )
  const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))
  const samples = fc.record({ name, other: name, number, text: name }).map(({ name, other, number, text }) =>
    sampleOf({
      ...{ at: number ?? 0, members: [name, other], findings: [{ severity: 'warning', text }] },
      application: { name, version: other, commit: text, node: name, pid: number ?? undefined, host: other },
      health: { status: text, liveness: name, readiness: other, components: { [name]: other } },
      vitals: { ...sampleOf().vitals, requestRate: number, p99: number, rss: number },
      routes: [routeOf({ method: text, route: name, rate: number, maximum: number }), routeOf({ route: other })],
    }),
  )

  it('has no line that is longer than its columns, and no control characters, for any names and numbers', () => {
    fc.assert(
      fc.property(
        samples,
        name,
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 1, max: 200 }),
        (sample, text, rows, columns) => {
          const shown = { sample, problem: text, notice: text, view: { ...view, filter: text, member: text } }
          const lines = screenLines(shown, rows, columns, plain)
          expect(lines.length).toBe(rows)
          for (const line of lines) {
            expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
            expect(columnsOf(line)).toBeLessThanOrEqual(columns)
          }
          expect(plainLine(sample)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
        },
      ),
    )
  })
})

describe('the routes', () => {
  const routes = [
    routeOf({ route: '/a', rate: 1, errors: 9, p50: 0.3, p95: 0.3, p99: null, maximum: 5, requests: 10 }),
    routeOf({ route: '/b', rate: 2, errors: null, p50: 0.2, p95: 0.4, p99: 0.5, requests: 20 }),
    routeOf({ route: '/c', rate: null, errors: 1, p50: 0.1, p95: 0.5, p99: 0.6, requests: 5 }),
  ]

  it.each([
    ['rate', '/b/a/c'],
    ['errors', '/a/c/b'],
    ['p50', '/a/b/c'],
    ['p95', '/c/b/a'],
    ['p99', '/a/c/b'],
    ['requests', '/b/a/c'],
  ] as const)('are sorted by %s', (sort, expected) => {
    expect(sortKeys).toContain(sort)
    expect(
      chooseRoutes(routes, { ...view, sort })
        .map(({ route }) => route)
        .join(''),
    ).toBe(expected)
  })

  it.each([
    ['', 3],
    ['get /A', 1],
    ['post', 0],
  ])('that contain %j are %d', (filter, expected) => {
    expect(chooseRoutes(routes, { ...view, filter })).toHaveLength(expected)
  })
})

describe('a value', () => {
  it.each([
    [count, [null, 0, 3, 0.5, 12.34, 123.4, 1480, 2e6], ['-', '0', '3', '0.50', '12.3', '123', '1480', '2.0e+6']],
    [time, [null, 0, 0.0012, 0.9999, 90], ['-', '0 ms', '1.20 ms', '1.00 s', '90 s']],
    [share, [null, 0, 0.012, 0.456], ['-', '0.0 %', '1.2 %', '46 %']],
    [bytes, [null, 2 ** 20, 1.5 * 2 ** 30], ['-', '1M', '1.50G']],
  ] as const)('is shown in a few characters', (format, values, texts) => {
    expect(values.map((value) => format(value))).toEqual(texts)
  })
})
