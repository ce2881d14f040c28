import { createManagement } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it, onTestFinished } from 'vitest'
import { bindClusterMeters } from '../../src/cluster/cluster-meters.ts'
import { attachFakeCluster } from '../support/fake-cluster.ts'

it('meters count members that are alive, the age of their oldest heartbeat in whole seconds, and refused files', () => {
  const management = createManagement()
  onTestFinished(() => management.close())
  let refused = 0
  const { view, set, remove } = attachFakeCluster(management, { refused: () => refused })
  const meters = createMeterRegistry()
  const unbind = bindClusterMeters(meters, view, () => false)
  const read = () =>
    Object.fromEntries([...meters.snapshot()].map((each) => [each.id.name, each.kind === 'gauge' && each.value]))
  const named = (members: number, stale: number, age: number) => ({
    'upkeep.cluster.age': age,
    'upkeep.cluster.alone': 0,
    'upkeep.cluster.members': members,
    'upkeep.cluster.refused': refused,
    'upkeep.cluster.stale': stale,
  })
  expect(read()).toEqual(named(3, 0, 0))
  set(1, { age: 7.5 })
  set(2, { age: 100, isAlive: false })
  refused = 2
  expect(read()).toEqual(named(2, 1, 7))
  for (const slot of [0, 1, 2]) remove(slot)
  expect(read()).toEqual(named(0, 0, 0))
  expect([...meters.snapshot()].every(({ id }) => id.description !== undefined)).toBe(true)
  unbind()
  expect(meters.names()).toEqual([])
})
