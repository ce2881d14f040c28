import { createManagement, type ManagementOptions } from 'upkeep'
import type { Management, ManagementRequest } from 'upkeep/adapter'
import { sql } from 'upkeep/health'
import { observe } from 'upkeep/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { startHttp } from '../../support/start-http.ts'

/** What no type lets through, as a program in JavaScript may return it. */
const returning = (value: unknown) => (): never => value as never

const request = (target: string): ManagementRequest => ({
  method: 'GET',
  target,
  headers: {},
  base: 'http://127.0.0.1',
  body: () => ({ kind: 'parsed', value: undefined }),
})

interface Row {
  readonly callback: string
  readonly options: ManagementOptions
  readonly use: (management: Management) => unknown
  /** What is reported, with the message of the cause. */
  readonly reported: string
}

const read = (path: string) => async (management: Management) => void (await management(request(path)))

async function serveObserved(management: Management, route?: () => never): Promise<void> {
  const observed = observe(management, route && { route })
  const server = await startHttp((req, res) => void observed(req, res, () => void res.end('done')))
  onTestFinished(server.dispose)
  await (await fetch(server.url)).text()
  await eventually(() => expect([...management.meters.snapshot('http.server.requests')]).toHaveLength(1))
}

const guarded = { expose: ['metrics'], access: { metrics: 'authorized' } } satisfies ManagementOptions
const authorizeRows = [
  ['true', true],
  ['a number', 1],
  ['a string', 'bob'],
  ['an empty array', []],
].flatMap(([received, value]): Row[] => {
  const expected = "expected a principal such as { name: 'ops' }, or undefined"
  const reported = `authorize: the caller counts as unknown: ${expected}, received ${received}`
  return [
    {
      callback: 'authorize',
      options: { ...guarded, authorize: returning(value) },
      use: read('/management/metrics'),
      reported,
    },
    {
      callback: 'authorize, by a promise,',
      options: { ...guarded, authorize: returning(Promise.resolve(value)) },
      use: read('/management/metrics'),
      reported,
    },
  ]
})

const rows: readonly Row[] = [
  ...authorizeRows,
  {
    callback: 'info.contributors',
    options: { expose: ['info'], info: { contributors: [returning('1.0')] } },
    use: read('/management/info'),
    reported: 'an info contributor failed: expected an object or undefined from an info contributor, received "1.0"',
  },
  {
    callback: 'env.sources',
    options: {
      expose: ['env'],
      authorize: () => ({ name: 'ops' }),
      env: { sources: [{ name: 'file', properties: returning(5) }] },
    },
    use: read('/management/env'),
    reported: "failed to read the property source 'file': expected an object of properties, received a number",
  },
  {
    callback: 'observation.redactPath',
    options: { observation: { redactPath: returning(true) } },
    use: (management) => management.observation.redactPath('/orders/1'),
    reported:
      'observation.redactPath failed; using the default redaction: expected a string or undefined, received true',
  },
  {
    callback: 'the route of observe',
    options: {},
    use: (management) => serveObserved(management, returning(['/orders'])),
    reported:
      "failed to read the route of a request; its uri is 'UNKNOWN': expected a string or undefined, received an array",
  },
  ...(
    [
      ['accept', 'upkeep.scrape.series', "'accept', 'deny' or 'neutral', received true"],
      ['map', 'upkeep.scrape.series', 'a meter with name and tags, received true'],
      ['configure', 'work', 'options of a distribution, received true'],
    ] as const
  ).map(
    ([name, meter, expected]): Row => ({
      callback: `${name} of a filter`,
      options: { metrics: { runtime: false, filters: [{ [name]: returning(true) }] } },
      use: ({ meters }) => meters.summary('work'),
      reported: `metrics.filters: "${name}" failed for the meter '${meter}' and is ignored: expected ${expected}`,
    }),
  ),
]

describe('a result that cannot be meant', () => {
  it.each(rows)('of $callback is reported once: $reported', async ({ options, use, reported }) => {
    const report = vi.fn()
    const management = createManagement({ metrics: { runtime: false }, report, ...options })
    onTestFinished(() => management.close())
    await use(management)
    await use(management)
    const reports = report.mock.calls.map(([message, cause]) =>
      cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message,
    )
    expect(reports).toEqual([reported])
  })

  it.each([undefined, null, false])('is not the %j of authorize: the caller is unknown', async (value) => {
    const report = vi.fn()
    const management = createManagement({ ...guarded, report, authorize: returning(value) })
    onTestFinished(() => management.close())
    expect(await management(request('/management/metrics'))).toMatchObject({ status: 401 })
    expect(report.mock.calls).toEqual([])
  })

  it.each([
    ['an indicator', returning(true), "expected a status such as 'UP', or { status, details }, received true"],
    [
      'the query of sql',
      sql({ query: returning({ execute: () => {} }) }),
      'query: expected the query to be run, received one to be run by execute()',
    ],
  ])('of %s is a detail of its component', async (_, check, error) => {
    const management = createManagement({ report: () => {}, health: { indicators: { db: check } } })
    onTestFinished(() => management.close())
    expect(await management.health.check('db')).toMatchObject({
      status: 'DOWN',
      details: { error: expect.stringContaining(error) },
    })
  })
})
