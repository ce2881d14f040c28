import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManagement } from 'upkeep'
import { joinCluster, listClusters, readCluster, reloadOnSignal, reloadWorkers, stopWorkers } from 'upkeep/cluster'
import { expect, it, onTestFinished } from 'vitest'
import { scrape } from '../../support/scrape.ts'

it('a member joins a group, which is listed and read', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'upkeep-cluster-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const management = createManagement({ expose: ['prometheus'], metrics: { runtime: false } })
  const { leave } = joinCluster(management, { directory, group: 'orders' })
  onTestFinished(() => {
    leave()
    management.close()
  })
  management.meters.counter('orders.placed').increment(2)
  expect(listClusters({ directory })).toHaveLength(1)
  // A member writes what it has measured when it is read itself.
  await scrape(management)
  const { measurements } = readCluster({ directory, group: 'orders' })
  await measurements.refresh?.()
  expect([...measurements.snapshot('orders.placed')]).toMatchObject([{ kind: 'counter', value: 2 }])
})

it('a primary without workers reloads and stops none', async () => {
  const before = process.listenerCount('SIGHUP')
  const remove = reloadOnSignal('SIGHUP')
  expect(process.listenerCount('SIGHUP')).toBe(before + 1)
  remove()
  expect(await reloadWorkers()).toEqual({ replaced: [] })
  expect(await stopWorkers()).toEqual({ exited: 0, killed: 0 })
})
