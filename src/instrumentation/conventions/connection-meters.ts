import type { MeterDescription, MeterFilter } from '../../metrics/meter-filter.ts'

/** A meter of connection pools by OpenTelemetry's conventions. */
interface ConnectionMeter {
  readonly name: string
  readonly baseUnit: string
  readonly state?: 'idle' | 'used'
}

/** The meters of connection pools, by the names of Micrometer: semantic conventions 1.45, in development. */
export const connectionMeters: Readonly<Record<string, ConnectionMeter>> = {
  'hikaricp.connections.active': { name: 'db.client.connection.count', baseUnit: '{connection}', state: 'used' },
  'hikaricp.connections.idle': { name: 'db.client.connection.count', baseUnit: '{connection}', state: 'idle' },
  'hikaricp.connections.max': { name: 'db.client.connection.limit', baseUnit: '{connection}' },
  'hikaricp.connections.min': { name: 'db.client.connection.idle.min', baseUnit: '{connection}' },
  'hikaricp.connections.pending': { name: 'db.client.connection.pending_requests', baseUnit: '{request}' },
  'hikaricp.connections.timeout': { name: 'db.client.connection.timeouts', baseUnit: '{timeout}' },
  'hikaricp.connections.acquire': { name: 'db.client.connection.wait_time', baseUnit: 'seconds' },
  'hikaricp.connections.creation': { name: 'db.client.connection.create_time', baseUnit: 'seconds' },
  'hikaricp.connections.usage': { name: 'db.client.connection.use_time', baseUnit: 'seconds' },
}

/** Meters that the conventions do not have beside those: the sum of all states, and a second name of each. */
const repeated = /^(?:hikaricp\.connections$|jdbc\.connections\.)/

const poolName = 'db.client.connection.pool.name'
const state = 'db.client.connection.state'

/** Renames the meters of database pools. */
export const nameConnectionMeters: MeterFilter = {
  accept: ({ name }) => (repeated.test(name) ? 'deny' : 'neutral'),
  map(meter: MeterDescription): MeterDescription {
    const known = connectionMeters[meter.name]
    if (known === undefined) return meter
    const tags = meter.tags.map(({ key, value }) => ({ key: key === 'pool' ? poolName : key, value }))
    if (known.state !== undefined) tags.push({ key: state, value: known.state })
    return { ...meter, name: known.name, tags, baseUnit: known.baseUnit }
  },
}
