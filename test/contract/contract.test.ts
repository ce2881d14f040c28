import type { Management } from 'upkeep'
import { contract } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attachFakeCluster } from '../support/fake-cluster.ts'
import { type ConformingServer, startConformingServer } from './support/conforming-server.ts'

const routes = { hook: '/hooks/a-key-that-nobody-guesses', route: '/orders/1', relay: '/relay?to={url}' }
const paths = { health: 'state', info: '/about/service', metrics: 'meters', prometheus: '/metrics' }

const joinCluster = (management: Management) =>
  void attachFakeCluster(management, { source: management.measurements, health: { ready: 'all' } })

/** The ids and texts of the cases, which are the same for every service. */
const cases = contract({ baseUrl: 'http://127.0.0.1:1', ...routes })
  // What it shows to nobody it would have to show to nobody at all.
  .filter(({ id }) => id !== 'health.details.never')
  .map(({ id, rule }) => [id, rule] as const)

describe.each([
  ['at its usual paths', {}, () => {}],
  ['at paths of its own', { ...paths, 'health/liveness': '/livez' }, () => {}],
  ['as a member of a cluster', {}, joinCluster],
] as const)('a service that satisfies the whole contract, %s', (_, placed, attach) => {
  let server: ConformingServer
  const checks = new Map<string, () => unknown>()
  beforeAll(async () => {
    server = await startConformingServer(placed, attach)
    const baseUrl = `http://127.0.0.1:${server.port}`
    for (const { id, check } of contract({ ...server.options, baseUrl })) checks.set(id, check)
  })
  afterAll(() => server.close())

  it.each(cases)('%s: %s', async (id) => {
    expect(await checks.get(id)?.()).toEqual({ kind: 'held' })
  })
})
