import { delay } from './incident.ts'

/** Returns what tracedPool takes for a pool of pg: its queries take as long as `milliseconds` returns. */
export function createDatabase(milliseconds: () => number) {
  return {
    options: { host: '127.0.0.1', port: 5432, database: 'orders' },
    async query(_statement: string) {
      await delay(milliseconds())
      return { rows: [], rowCount: 0, command: 'SELECT' }
    },
    async connect() {
      return { release: () => {} }
    },
  }
}
