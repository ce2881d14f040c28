import { describe, expect, it } from 'vitest'
import { RouteStatistics } from '../../src/console/requests/route-statistics.ts'
import { endedRequest } from './ended-request.ts'

const megabyte = 2 ** 20

describe('RouteStatistics', () => {
  it('counts by method and route', () => {
    const routes = new RouteStatistics(megabyte)
    for (const method of ['GET', 'GET', 'POST']) routes.record(endedRequest({ method, endedAt: 10_000 }))
    routes.record(endedRequest({ status: 503, endedAt: 20_000 }))
    const { windowSeconds, routes: read } = routes.read(40_000, 1_000_000)
    expect(windowSeconds).toBe(40)
    expect(read.map(({ method, route, requests, errors, total }) => [method, route, requests, errors, total])).toEqual([
      ['GET', '/orders/:id', 3, 1, 3],
      ['POST', '/orders/:id', 1, 0, 1],
    ])
    expect(read[0]?.rate).toBeCloseTo(3 / 40)
    expect(read[0]?.lastAt).toBe(1_020_000)
  })

  it('is about the current minute and the one before', () => {
    const routes = new RouteStatistics(megabyte)
    routes.record(endedRequest({ endedAt: 59_000, seconds: 3 }))
    routes.record(endedRequest({ endedAt: 61_000 }))
    expect(routes.read(119_000, 0).routes[0]).toMatchObject({ requests: 2, maximum: 3 })
    expect(routes.read(121_000, 0).routes[0]).toMatchObject({ requests: 1, maximum: 0.01, total: 2 })
    expect(routes.read(500_000, 0).routes[0]).toMatchObject({ requests: 0, p50: null, maximum: null, total: 2 })
  })

  it('knows what a route usually takes after ten minutes with enough requests', () => {
    const routes = new RouteStatistics(megabyte)
    const record = (minute: number, count: number, seconds: number) => {
      for (let at = 0; at < count; at++) routes.record(endedRequest({ endedAt: minute * 60_000, seconds }))
    }
    for (let minute = 1; minute <= 10; minute++) record(minute, 20, 0.01)
    record(11, 19, 5)
    record(12, 20, 5)
    const read = (minute: number) => routes.read(minute * 60_000, 0).routes[0]
    expect(read(12)?.usualP99).toBeCloseTo(0.01, 2)
    expect(read(12)?.p99).toBeCloseTo(5, 0)
    const young = new RouteStatistics(megabyte)
    young.record(endedRequest())
    expect(young.read(2_000, 0).routes[0]?.usualP99).toBeUndefined()
  })

  it('names requests without a route as the meters do', () => {
    const routes = new RouteStatistics(megabyte)
    for (const status of [200, 302, 404]) routes.record(endedRequest({ template: undefined, status }))
    expect(routes.read(2_000, 0).routes.map(({ route }) => route)).toEqual(['UNKNOWN', 'REDIRECTION', 'NOT_FOUND'])
  })

  it('has one method for all that are unknown', () => {
    const routes = new RouteStatistics(megabyte)
    for (let at = 0; at < 1_000; at++) routes.record(endedRequest({ method: `M${at}` }))
    expect(routes.read(2_000, 0).routes).toMatchObject([{ method: 'UNKNOWN', requests: 1_000 }])
  })

  it('stays within its budget, and counts the requests to routes that are not kept', () => {
    const routes = new RouteStatistics(megabyte)
    for (let at = 0; at < 10_000; at++) routes.record(endedRequest({ template: `/r${at}` }))
    const { length } = routes.read(2_000, 0).routes
    expect(routes.bytes).toBeLessThanOrEqual(megabyte)
    expect(length).toBeGreaterThan(500)
    expect(routes.refused).toBe(10_000 - length)
  })
})
