import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { recordError } from 'upkeep/adapter'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { requestCounts } from '../support/request-counts.ts'
import { setUpObservation as setUp } from '../support/set-up-observation.ts'

/** A response that is closed when it is told so; whether it was sent is what the test says. */
function respond(method: string, status: number, { finished = true } = {}): ServerResponse {
  const req = new IncomingMessage(new Socket())
  req.method = method
  const res = new ServerResponse(req)
  res.statusCode = status
  res.assignSocket(req.socket)
  Object.defineProperty(res, 'writableFinished', { value: finished })
  Object.defineProperty(req, 'headers', {
    get: () => {
      throw new Error('the headers were read')
    },
  })
  return res
}

describe('an observed request', () => {
  it.each([
    [101, 'INFORMATIONAL', '/a'],
    [200, 'SUCCESS', '/a'],
    [304, 'REDIRECTION', '/a'],
    [404, 'CLIENT_ERROR', '/a'],
    [499, 'CLIENT_ERROR', '/a'],
    [503, 'SERVER_ERROR', '/a'],
    [799, 'UNKNOWN', '/a'],
    [99, 'UNKNOWN', '/a'],
    [304, 'REDIRECTION', undefined, 'REDIRECTION'],
    [404, 'CLIENT_ERROR', undefined, 'NOT_FOUND'],
    [405, 'CLIENT_ERROR', undefined, 'UNKNOWN'],
    [200, 'SUCCESS', '', 'UNKNOWN'],
  ])('with status %i has the outcome %s', (status, outcome, template, uri = '/a') => {
    const { meters, observation } = setUp()
    const res = respond('GET', status)
    observation.begin(res, template, (given) => given, nothing)
    res.emit('close')
    expect([...requestCounts(meters).keys()]).toEqual([`${uri} GET ${status} ${outcome} none`])
  })

  it('is aborted if it was cut off, also with the status 499 set before', () => {
    const { meters, observation } = setUp()
    for (const res of [respond('GET', 200, { finished: false }), respond('GET', 499)]) {
      observation.begin(res, '/a', (given) => given, nothing)
      res.emit('close')
    }
    expect([...requestCounts(meters).keys()]).toEqual(['/a GET 499 ABORTED none', '/a GET 499 CLIENT_ERROR none'])
  })

  it('is active until its response is closed, and its duration ends there', () => {
    const { meters, observation, active, pass } = setUp()
    const [one, two] = [respond('GET', 200), respond('GET', 200)]
    observation.begin(one, '/a', (given) => given, nothing)
    pass(250)
    observation.begin(two, '/a', (given) => given, nothing)
    expect(active()).toEqual([2])
    pass(500)
    one.emit('close')
    expect(active()).toEqual([1])
    two.emit('close')
    expect(active()).toEqual([0])
    expect([...meters.snapshot('http.server.requests')]).toMatchObject([{ count: 2, total: 1.25, max: 0.75 }])
  })

  it('is counted once by each of two managements, if observed several times', () => {
    const [one, other] = [setUp(), setUp()]
    const res = respond('GET', 200)
    for (const { observation } of [one, other, one, other]) observation.begin(res, '/a', (given) => given, nothing)
    expect(res.listenerCount('close')).toBe(1)
    res.emit('close')
    for (const { meters, active } of [one, other]) {
      expect([...requestCounts(meters).values()]).toEqual([1])
      expect(active()).toEqual([0])
    }
  })

  it('is aborted immediately if observed after its response was closed', () => {
    const { meters, observation, active } = setUp()
    const res = respond('GET', 200, { finished: false })
    Object.defineProperty(res, 'closed', { value: true })
    res.detachSocket(res.req.socket)
    observation.begin(res, '/a', (given) => given, nothing)
    expect([...requestCounts(meters)]).toEqual([['/a GET 499 ABORTED none', 1]])
    expect(active()).toEqual([0])
  })

  it.each([
    ['PUT', 'PUT'],
    ['PROPFIND', 'UNKNOWN'],
    ['get', 'UNKNOWN'],
    ['constructor', 'UNKNOWN'],
  ])('with the method %s has the tag %s', (method, tag) => {
    const { meters, observation } = setUp()
    for (let n = 0; n < 2; n++) {
      const res = respond(method, 200)
      observation.begin(res, '/a', (given) => given, nothing)
      res.emit('close')
    }
    expect([...requestCounts(meters)]).toEqual([[`/a ${tag} 200 SUCCESS none`, 2]])
  })

  it('has the name of its error', () => {
    const { meters, observation } = setUp()
    for (const error of [new RangeError('x'), 'a text', new (class QueryError extends Error {})()]) {
      const res = respond('GET', 500)
      recordError(res, error)
      observation.begin(res, '/a', (given) => given, nothing)
      recordError(res, error)
      res.emit('close')
    }
    const exceptions = [...requestCounts(meters).keys()].map((id) => id.split(' ').at(-1))
    expect(exceptions).toEqual(['RangeError', 'string', 'QueryError'])
  })

  it('has the uri UNKNOWN if its route cannot be read, which is reported once', () => {
    const { meters, observation, report } = setUp()
    for (let n = 0; n < 3; n++) {
      const res = respond('GET', 200)
      observation.begin(
        res,
        undefined,
        () => {
          throw new Error('broken')
        },
        nothing,
      )
      res.emit('close')
    }
    expect([...requestCounts(meters)]).toEqual([['UNKNOWN GET 200 SUCCESS none', 3]])
    expect(report.mock.calls).toEqual([
      ["failed to read the route of a request; its uri is 'UNKNOWN'", new Error('broken')],
    ])
  })

  it('is not counted if the management handles it, unless configured', () => {
    const without = setUp()
    const withThem = setUp({ managementUri: () => '/management/**' })
    const res = respond('GET', 200)
    for (const { observation } of [without, withThem]) {
      observation.begin(res, undefined, () => undefined, nothing)
      observation.excludeFromObservation(res)
      observation.excludeFromObservation(res)
    }
    expect(without.active()).toEqual([0])
    res.emit('close')
    expect([...requestCounts(without.meters)]).toEqual([])
    expect([...requestCounts(withThem.meters).keys()]).toEqual(['/management/** GET 200 SUCCESS none'])
    expect([without.active(), withThem.active()]).toEqual([[0], [0]])
  })

  it('does not exceed the maximum of series, whatever a route function returns', () => {
    const meters = createMeterRegistry({ maximumSeriesPerMeter: 10, diagnose: () => {} })
    const { observation } = setUp({ meters })
    for (let n = 0; n < 3_000; n++) {
      const res = respond('GET', 200)
      observation.begin(res, `/raw/${n}`, (given) => given, nothing)
      res.emit('close')
    }
    const requests = requestCounts(meters)
    expect(requests.size).toBe(11)
    expect(requests.get('_overflow GET 200 SUCCESS none')).toBe(2_990)
  })
})

describe('recordClientRequest', () => {
  it('times a request by client, template, method, status and error', () => {
    const { meters, observation } = setUp()
    const own = { clientName: 'stock', template: '/items/:id', method: 'GET', seconds: 0.5 }
    observation.recordClientRequest({ ...own, status: 200 })
    observation.recordClientRequest({ ...own, status: 200 })
    observation.recordClientRequest({ ...own, clientName: 'mail', error: new TypeError('fetch failed') })
    observation.recordClientRequest({ ...own, template: undefined, method: 'BREW', status: 404 })
    expect([...requestCounts(meters, 'http.client.requests')]).toEqual([
      ['/items/:id GET 200 SUCCESS none', 2],
      ['/items/:id GET IO_ERROR UNKNOWN TypeError', 1],
      ['none UNKNOWN 404 CLIENT_ERROR none', 1],
    ])
  })
})

function nothing(): void {}
