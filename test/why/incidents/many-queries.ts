import { tracedPool } from 'upkeep/instrumentation'
import { createDatabase } from '../database.ts'
import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a list reads each of its rows with a query of its own',
  expected: { kind: 'latency', text: /GET \/orders\/:id.*time is database postgresql\/orders/ },
  create() {
    const database = tracedPool(createDatabase(() => 4))
    return {
      async handle(_, isIncident) {
        for (let row = 0; row < (isIncident ? 50 : 1); row++)
          await database.query(`SELECT * FROM rows WHERE id = ${row}`)
      },
    }
  },
}
