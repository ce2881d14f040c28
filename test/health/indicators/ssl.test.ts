import { createServer } from 'node:https'
import { createManagement } from 'upkeep'
import { sslBundles } from 'upkeep/health'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fixedClock } from '../../support/fixed-clock.ts'
import { cert, key } from '../../support/localhost-certificate.ts'

const starts = Date.UTC(2026, 10, 21, 13, 36, 10)
const ends = Date.UTC(2126, 9, 28, 13, 36, 10)
const day = 86_400_000
const signal = new AbortController().signal

const serialNumber = '5e7220701e8fef39b2b8ce4689c6d437bd3ee00e'

const shown = (status: string, message?: string) => ({
  alias: 'web',
  certificates: [
    {
      issuer: 'CN=localhost',
      serialNumber: expect.stringMatching(/^[0-9a-f]+$/),
      subject: 'CN=localhost',
      validity: { status, ...(message !== undefined && { message }) },
      validityEnds: '2126-10-28T13:36:10.000Z',
      validityStarts: '2026-11-21T13:36:10.000Z',
      version: 'V3',
    },
  ],
})

function setUp(now: number, server: object = { cert }) {
  const clock = fixedClock(now)
  return { clock, ssl: sslBundles({ web: server }, { clock }) }
}

describe('the certificates of a server', () => {
  it('are shown with their validity, and without the key', () => {
    const server = createServer({ key, cert })
    const { ssl } = setUp(starts + day, server)
    expect(ssl.bundles()).toMatchObject([
      { name: 'web', certificateChains: [shown('VALID')], trustStoreCertificateChains: [] },
    ])
    expect(JSON.stringify(ssl.bundles())).not.toContain('PRIVATE KEY')
  })

  it.each<[string, object]>([
    ['a buffer', { cert: Buffer.from(cert) }],
    ['an array', { cert: [cert] }],
    ['a file with a key', { cert: key + cert }],
  ])('are read from %s', (_what, server) => {
    expect(setUp(starts + day, server).ssl.bundles()[0]?.certificateChains).toHaveLength(1)
  })

  it('are all those of the chain', () => {
    const { ssl } = setUp(starts + day, { cert: `${cert}${cert}` })
    expect(ssl.bundles()[0]?.certificateChains[0]?.certificates).toHaveLength(2)
  })

  it('are read again when the server has others', () => {
    const server = createServer({ key, cert })
    const { ssl } = setUp(starts + day, server)
    ssl.bundles()
    server.setSecureContext({ key, cert: `${cert}${cert}` })
    expect(ssl.bundles()[0]?.certificateChains[0]?.certificates).toHaveLength(2)
  })

  it.each<[unknown, string]>([
    [5, 'a number'],
    [{}, 'an object'],
    [null, 'null'],
  ])('cannot be those of %j', (server, received) => {
    expect(() => sslBundles({ web: server as never })).toThrow(
      `sslBundles: web: expected a server or an object with "cert", received ${received}`,
    )
  })
})

describe('the indicator of certificates', () => {
  it.each<[string, number, string, object]>([
    ['valid', starts + day, 'UP', { validChains: [shown('VALID')], invalidChains: [], expiringChains: [] }],
    [
      'expiring',
      ends - 14 * day,
      'UP',
      { validChains: [shown('VALID')], invalidChains: [], expiringChains: [shown('VALID')] },
    ],
    [
      'expired',
      ends + 1,
      'OUT_OF_SERVICE',
      {
        validChains: [],
        invalidChains: [shown('EXPIRED', 'Not valid after 2126-10-28T13:36:10.000Z')],
        expiringChains: [],
      },
    ],
    [
      'not yet valid',
      starts - 1,
      'OUT_OF_SERVICE',
      { invalidChains: [shown('NOT_YET_VALID', 'Not valid before 2026-11-21T13:36:10.000Z')] },
    ],
  ])('of one that is %s', async (_what, now, status, details) => {
    expect(await setUp(now).ssl.indicator(signal)).toMatchObject({ status, details })
  })

  it.each([[undefined], [''], ['-----BEGIN CERTIFICATE-----'], [`${cert.slice(0, 200)}\n-----END CERTIFICATE-----`]])(
    'is OUT_OF_SERVICE for %j, which cannot be read',
    async (broken) => {
      const { ssl } = setUp(starts + day, { cert: broken })
      expect(await ssl.indicator(signal)).toMatchObject({
        status: 'OUT_OF_SERVICE',
        details: { invalidChains: [{ alias: 'web', error: expect.any(String) }] },
      })
      expect(ssl.bundles()).toMatchObject([{ name: 'web', certificateChains: [] }])
    },
  )
})

describe('the gauge ssl.chain.expiry', () => {
  it('has the seconds until the first certificate expires, and the tags of Spring Boot', () => {
    const { ssl, clock } = setUp(ends - 90_000)
    const meters = createMeterRegistry()
    const stop = ssl.measure(meters)
    const read = () => [...meters.snapshot('ssl.chain.expiry')]
    expect(read()).toMatchObject([{ value: 90 }])
    expect(read()[0]?.id.tags).toEqual([
      { key: 'bundle', value: 'web' },
      { key: 'certificate', value: serialNumber },
      { key: 'chain', value: 'web' },
      { key: 'source', value: 'keystore' },
    ])
    clock.set(ends + 1_000)
    expect(read()).toMatchObject([{ value: -1 }])
    stop()
    expect(read()).toEqual([])
  })
})

describe('the option ssl', () => {
  it('adds ssl to info, and its gauge to the meters', async () => {
    const ssl = sslBundles({ web: { cert } })
    const management = createManagement({ expose: ['info'], ssl, info: { ssl: true, build: false, git: false } })
    onTestFinished(() => management.close())
    const response = await management({
      method: 'GET',
      target: '/management/info',
      headers: {},
      body: () => ({ kind: 'parsed', value: undefined }),
      base: '',
    })
    expect(JSON.parse(String(response?.body))).toMatchObject({
      ssl: { bundles: [{ name: 'web', certificateChains: [{ alias: 'web' }] }] },
    })
    expect([...management.meters.snapshot('ssl.chain.expiry')]).toHaveLength(1)
  })

  it('is required by info.ssl', () => {
    expect(() => createManagement({ info: { ssl: true } })).toThrow(
      'createManagement: ssl: expected sslBundles({ … }), because "info.ssl" is true, received undefined',
    )
  })
})
