import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { manage as serve } from 'upkeep/node'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type Deferred, deferred } from '../../support/deferred.ts'
import { listenOn } from '../../support/listen.ts'
import { createManagementClient } from '../../support/management-client.ts'
import { createRawClient } from '../../support/raw-client.ts'

const probes = 1_000
const paths = ['', '/db', '/readiness', '/readiness/db', '/caches', '/caches/near']

/** Three checks that are answered by hand, and counted. */
function openHealth() {
  const open: Deferred<string>[] = []
  const check = () => {
    const answer = deferred<string>()
    open.push(answer)
    return answer.promise
  }
  const [db, near, far] = [vi.fn(check), vi.fn(check), vi.fn(check)]
  const health = {
    indicators: { db: { check: db, cache: '0ms' }, caches: { indicators: { near, far } } },
    groups: { readiness: { include: ['readinessState', 'db'] } },
    showComponents: 'always',
  } as const
  const answer = () => {
    for (const each of open) each.resolve('UP')
  }
  return {
    options: { health, metrics: { runtime: false }, report: () => {} },
    answer,
    runs: () => [db, near, far].map(({ mock }) => mock.calls.length),
  }
}

it('1,000 simultaneous probes run each check once', async () => {
  const { options, answer, runs } = openHealth()
  const { send } = createManagementClient(options)
  const pending = Array.from({ length: probes }, (_, at) => send(`/management/health${paths[at % paths.length]}`))
  await new Promise(setImmediate)
  answer()
  expect(new Set((await Promise.all(pending)).map(({ status }) => status))).toEqual(new Set([200]))
  expect(runs()).toEqual([1, 1, 1])
})

it('1,000 simultaneous probes over HTTP run each check once', async () => {
  const { options, answer, runs } = openHealth()
  const managed = serve(createManagement(options))
  let arrived = 0
  const server = createServer({ keepAlive: false }, (req, res) => {
    managed(req, res)
    arrived += 1
    // In the turn after the last one has asked.
    if (arrived === probes) setImmediate(answer)
  })
  const port = await listenOn(server)
  onTestFinished(() => void server.close())

  const send = createRawClient(port)
  const pending = Array.from({ length: probes }, (_, at) =>
    send({ target: `/management/health${paths[at % paths.length]}` }),
  )
  expect(new Set((await Promise.all(pending)).map(({ status }) => status))).toEqual(new Set([200]))
  expect([arrived, runs()]).toEqual([probes, [1, 1, 1]])
})
