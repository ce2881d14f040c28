import { createPool } from 'generic-pool'
import { poolMeters } from 'upkeep/instrumentation'
import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a pool of two connections that requests hold for too long',
  expected: { kind: 'pool', text: /The pool orders is exhausted/ },
  concurrency: 12,
  create() {
    let held = 1
    const pool = createPool({ create: async () => ({}), destroy: async () => {} }, { max: 2 })
    return {
      begin() {
        held = 120
      },
      start: (management) => void poolMeters(management.meters, 'orders', pool),
      handle: () => pool.use(() => delay(held)),
    }
  },
}
