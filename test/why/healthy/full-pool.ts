import { createPool } from 'generic-pool'
import { poolMeters } from 'upkeep/instrumentation'
import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a pool that is used fully, and hardly waited for',
  create() {
    const pool = createPool({ create: async () => ({}), destroy: async () => {} }, { max: 4 })
    return {
      start: (management) => void poolMeters(management.meters, 'orders', pool),
      handle: () => pool.use(() => delay(5)),
    }
  },
}
