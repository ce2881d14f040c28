import { tracedPool } from 'upkeep/instrumentation'
import { createDatabase } from '../database.ts'
import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a query of one route takes a plan without an index',
  expected: { kind: 'latency', text: /GET \/orders\/:id.*time is database postgresql\/orders/ },
  create() {
    let milliseconds = 3
    const database = tracedPool(createDatabase(() => milliseconds))
    return {
      begin() {
        milliseconds = 150
      },
      handle: ({ number }) => database.query(`SELECT * FROM orders WHERE id = ${number}`),
    }
  },
}
