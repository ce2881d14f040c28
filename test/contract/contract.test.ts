import type { Management } from 'upkeep'
import { contract } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attachFakeCluster } from '../support/fake-cluster.ts'
import { type ConformingServer, startConformingServer } from './support/conforming-server.ts'

const routes = { hook: '/hooks/a-key-that-nobody-guesses', route: '/orders/1', relay: '/relay?to={url}' }
const paths = { health: 'state', info: '/about/service', metrics: 'meters', prometheus: '/metrics' }

const joinCluster = (management: Management) =>
  void attachFakeCluster(management, { source: management.measurements, health: { ready: 'all' } })

describe.each([
  ['at its usual paths', {}, () => {}],
  ['at paths of its own', { ...paths, 'health/liveness': '/livez' }, () => {}],
  ['as a member of a cluster', {}, joinCluster],
] as const)('a service that satisfies the whole contract, %s', (_, placed, attach) => {
  let server: ConformingServer
  beforeAll(async () => {
    server = await startConformingServer(placed, attach)
  })
  afterAll(() => server.close())

  const cases = contract({ baseUrl: 'http://127.0.0.1:1', ...routes })
  // What it shows to nobody it would have to show to nobody at all.
  const elsewhere = ['health.details.never']
  it.each(cases.filter(({ id }) => !elsewhere.includes(id)).map(({ id, rule }) => [id, rule]))('%s: %s', async (id) => {
    const { options, port } = server
    const [one] = contract({ ...options, baseUrl: `http://127.0.0.1:${port}`, only: [id as string] })
    expect(await one?.check()).toEqual({ kind: 'held' })
  })
})
