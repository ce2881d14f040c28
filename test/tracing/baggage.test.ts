import { type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { pino } from 'pino'
import {
  createManagement,
  getBaggage,
  type ManagementOptions,
  traced,
  traceHeaders,
  withBaggage,
  withTrace,
} from 'upkeep'
import { observe as observeFastify } from 'upkeep/fastify'
import { parseBaggage } from 'upkeep/ids'
import { instrument, tracedConsumer, tracedProducer } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { observe } from 'upkeep/node'
import { pinoOptions, pinoTraceMixin } from 'upkeep/pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { collectLines } from '../support/lines.ts'
import { type Listening, listen } from '../support/listen.ts'

function manage(options: ManagementOptions = {}) {
  const management = createManagement({ tracing: true, metrics: { runtime: false }, ...options })
  onTestFinished(() => management.close())
  return management
}

type Handler = (path: string) => unknown

async function listenTo(handler: RequestListener): Promise<Listening> {
  const listening = await listen(handler)
  onTestFinished(listening.close)
  return listening
}

/** Serves a request that is observed, and returns what its handler returns. */
async function respondTo(baggage: string | string[] | undefined, handler: Handler, options = {}) {
  const management = manage(options)
  const observed = observe(management)
  const { port } = await listenTo((req, res) =>
    observed(req, res, async () => {
      res.end(JSON.stringify((await handler(req.url ?? '')) ?? null))
    }),
  )
  const text = await new Promise<string>((resolve, reject) => {
    const client = request(
      { port, host: '127.0.0.1', headers: { ...(baggage !== undefined && { baggage }) } },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve(body))
      },
    )
    client.on('error', reject).end()
  })
  return JSON.parse(text)
}

describe('the baggage of a request', () => {
  it.each([
    ['one field', 'tenant=acme,user=Am%C3%A9lie'],
    ['several fields', ['tenant=acme', 'user=Am%C3%A9lie']],
  ])('is read from %s, also in later turns', async (_, baggage) => {
    const read = await respondTo(baggage, async () => {
      await null
      return traced('inner', async () => {
        await null
        return [getBaggage('tenant'), getBaggage('user'), getBaggage('other')]
      })
    })
    expect(read).toEqual(['acme', 'Amélie', null])
  })

  it('is sent with traceHeaders, with its properties and in its order', async () => {
    const sent = await respondTo('b=2;ttl=30, a=1 ,malformed, b=3', () => traceHeaders())
    expect(sent.baggage).toBe('b=2;ttl=30,a=1,b=3')
    expect(sent.traceparent).toMatch(/^00-/)
  })

  it('may be absent', async () => {
    expect(await respondTo(undefined, () => [getBaggage('a'), Object.keys(traceHeaders())])).toEqual([
      null,
      ['traceparent'],
    ])
  })

  it('is absent while the process is not traced', async () => {
    const read = () => [getBaggage('a'), withBaggage({ a: '1' }, () => getBaggage('a')), traceHeaders()]
    expect(await respondTo('a=1', read, { tracing: false })).toEqual([null, null, {}])
  })

  it('is bounded', async () => {
    const many = Array.from({ length: 100 }, (_, at) => `k${at}=${'x'.repeat(100)}`).join(',')
    const { baggage } = await respondTo(many, () => withBaggage({ own: 'é'.repeat(500) }, () => traceHeaders()))
    expect(baggage.length).toBeLessThanOrEqual(8_192)
    const members = parseBaggage(baggage)
    expect(members.length).toBeLessThanOrEqual(64)
    expect(members[0]).toEqual({ key: 'own', value: 'é'.repeat(500) })
    expect(members[1]?.key).toBe('k0')
  })

  it('remains when Fastify loses the context', async () => {
    const app = fastify()
    app.register(observeFastify(manage()))
    app.post('/', async () => ({ tenant: getBaggage('tenant') }))
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    const { port } = app.server.address() as AddressInfo
    const headers = { baggage: 'tenant=acme', 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{"a":1}' })
    expect(await response.json()).toEqual({ tenant: 'acme' })
  })

  it.each([
    ['fetch', async (url: string, headers: Record<string, string>) => (await fetch(url, { headers })).text()],
    [
      'node:http',
      (url: string, headers: Record<string, string>) =>
        new Promise((resolve) => {
          request(url, { headers }, (response) => response.resume().on('end', resolve)).end()
        }),
    ],
  ])('is sent with requests of an instrumented %s, unless they have one', async (_, send) => {
    const received: (string | undefined)[] = []
    const upstream = await listenTo((req, res) => {
      received.push(req.headers['baggage'] as string | undefined)
      res.end()
    })
    const url = `http://127.0.0.1:${upstream.port}/`
    const management = manage()
    onTestFinished(instrument(management))
    await traced('work', async () => {
      await send(url, {})
      await withBaggage({ tenant: 'acme' }, async () => {
        await send(url, {})
        await send(url, { baggage: 'own=1' })
      })
    })
    expect(received).toEqual([undefined, 'tenant=acme', 'own=1'])
  })
})

describe('withBaggage', () => {
  it('sets, replaces and removes values within a function only', () => {
    manage()
    traced('work', () => {
      const read = () => ['a', 'b', 'c'].map(getBaggage)
      withBaggage({ a: '1', b: '2' }, () => {
        withBaggage({ a: undefined, b: '3', c: 'é' }, () => {
          expect(read()).toEqual([undefined, '3', 'é'])
          expect(traceHeaders().baggage).toBe('b=3,c=%C3%A9')
          traced('inner', () => expect(read()).toEqual([undefined, '3', 'é']))
        })
        expect(read()).toEqual(['1', '2', undefined])
      })
      expect(read()).toEqual([undefined, undefined, undefined])
      expect(traceHeaders()).not.toHaveProperty('baggage')
    })
  })

  it('retains the span, and works without one', async () => {
    manage()
    const { spanId, inner } = traced('work', (span) =>
      withBaggage({ a: '1' }, () => ({ spanId: span?.context.spanId, inner: traceHeaders().traceparent })),
    )
    expect(inner).toContain(`-${spanId}-`)
    await withBaggage({ a: '1' }, async () => {
      await null
      expect(traceHeaders()).toEqual({ baggage: 'a=1' })
      traced('below', () => expect(getBaggage('a')).toBe('1'))
    })
  })

  it('applies to the steps of a generator', () => {
    manage()
    const steps = withBaggage({ a: '1' }, () =>
      traced('steps', function* () {
        yield getBaggage('a')
        yield getBaggage('a')
      }),
    )
    expect([...steps]).toEqual(['1', '1'])
  })

  it.each([
    [{ 'a b': '1' }, new RangeError('withBaggage: expected a key, received "a b"')],
    [{ a: 5 as unknown as string }, new TypeError('withBaggage: a: expected a string, received number')],
  ])('rejects %j', (entries, error) => {
    expect(() => withBaggage(entries, () => {})).toThrow(error)
  })
})

describe('the baggage of a message', () => {
  it('replaces that of the consumer, also if it has none', () => {
    manage()
    traced('poll', () =>
      withBaggage({ tenant: 'poller' }, () => {
        withTrace({ baggage: 'tenant=acme' }, 'process', () => expect(getBaggage('tenant')).toBe('acme'))
        withTrace(new Map([['baggage', 'tenant=map']]), 'process', () => expect(getBaggage('tenant')).toBe('map'))
        withTrace({ baggage: Buffer.from('tenant=kafka') }, 'process', () => expect(getBaggage('tenant')).toBe('kafka'))
        withTrace({}, 'process', () => {
          expect(getBaggage('tenant')).toBeUndefined()
          expect(traceHeaders()).not.toHaveProperty('baggage')
        })
      }),
    )
  })

  it('is sent by a traced producer and read by a traced consumer', async () => {
    manage()
    type Message = { readonly value: string; readonly headers?: Record<string, string> }
    const sent: Message[] = []
    const producer = tracedProducer({
      send: async ({ messages }: { topic: string; messages: Message[] }) => void sent.push(...messages),
      sendBatch: async () => {},
    })
    await withBaggage({ tenant: 'acme' }, () => producer.send({ topic: 'orders', messages: [{ value: '1' }] }))
    expect(sent[0]?.headers).toMatchObject({ baggage: 'tenant=acme' })

    const read: unknown[] = []
    const consumer = tracedConsumer({
      run: async ({ eachMessage }: { eachMessage: (payload: object) => Promise<void> }) => {
        const headers = { ...sent[0]?.headers }
        await eachMessage({ topic: 'orders', partition: 0, message: { offset: '1', headers } })
        await eachMessage({ topic: 'orders', partition: 0, message: { offset: '2' } })
      },
    })
    await consumer.run({ eachMessage: async () => void read.push(getBaggage('tenant')) })
    expect(read).toEqual(['acme', undefined])
  })
})

describe('selected keys', () => {
  const tracing = { baggage: { logFields: ['tenant', 'plan'] } }
  const application = { name: 'orders' }

  it.each([
    [
      'createLogger',
      () => {
        const lines = collectLines()
        const logger = createLogger({ application, write: lines.write })
        return { lines, info: () => logger.info('placed') }
      },
    ],
    [
      'pino with pinoTraceMixin',
      () => {
        const lines = collectLines()
        const logger = pino({ mixin: pinoTraceMixin }, lines)
        return { lines, info: () => logger.info('placed') }
      },
    ],
    [
      'pino with a nested key',
      () => {
        const lines = collectLines()
        const logger = pino(pinoOptions({ application }, { nestedKey: 'payload' }), lines)
        return { lines, info: () => logger.info({ a: 1 }, 'placed') }
      },
    ],
    [
      'pino in the Elastic Common Schema',
      () => {
        const lines = collectLines()
        const logger = pino(pinoOptions({ application, format: 'ecs' }), lines)
        return { lines, info: () => logger.info('placed') }
      },
    ],
  ])('are fields of the records of %s, and cannot imitate others', (_, create) => {
    manage({ tracing })
    const { lines, info } = create()
    const hostile = 'acme","level":"FATAL\n{"a":1}'
    traced('work', () => {
      info()
      withBaggage({ tenant: hostile, user: 'ada' }, info)
    })
    const [without, withTenant] = lines.records()
    expect(without).not.toHaveProperty('tenant')
    expect(withTenant).toMatchObject({ tenant: hostile })
    expect(Object.keys(withTenant ?? {}).filter((name) => name === 'user' || name === 'plan')).toEqual([])
    expect(withTenant?.['level']).toBe(without?.['level'])
    expect(lines.text().split('\n')).toHaveLength(3)
  })

  it('are no longer recorded when the management is closed', () => {
    manage()
    createManagement({ tracing, metrics: { runtime: false } }).close()
    const lines = collectLines()
    const logger = createLogger({ application, write: lines.write })
    traced('work', () => withBaggage({ tenant: 'acme' }, () => logger.info('placed')))
    expect(lines.last()).not.toHaveProperty('tenant')
  })

  it.each([
    [{ baggage: ['tenant'] }, 'tracing'],
    [{ baggage: { logFields: 'tenant' } }, 'tracing'],
    [{ baggage: { fields: ['tenant'] } }, 'unknown option "tracing.baggage.fields"'],
  ])('are validated: %j', (option, message) => {
    expect(() => createManagement({ tracing: option as object })).toThrow(`createManagement: ${message}`)
  })
})
