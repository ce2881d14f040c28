import type { MeterRegistry } from 'upkeep'

/**
 * Returns the values of a database pool's meters by the last part of their names; the count for a timer. `total` is the
 * number of all connections.
 */
export function databasePoolValues(meters: MeterRegistry, pool: string): Readonly<Record<string, number>> {
  const { '': total, ...values } = valuesBelow(meters, 'hikaricp.connections', ['pool', pool])
  return { ...values, ...(total !== undefined && { total }) }
}

/** Returns the values of `jdbc.connections` by the last part of their names. */
export function jdbcValues(meters: MeterRegistry, name: string): Readonly<Record<string, number>> {
  return valuesBelow(meters, 'jdbc.connections', ['name', name])
}

/** Returns the values of an HTTP client's pool by the last part of their names. */
export function clientPoolValues(meters: MeterRegistry, name: string): Readonly<Record<string, number>> {
  return valuesBelow(meters, `${name}.connections`)
}

function valuesBelow(meters: MeterRegistry, prefix: string, tag?: readonly [string, string]) {
  const found = [...meters.snapshot()].filter(
    ({ id }) =>
      (id.name === prefix || id.name.startsWith(`${prefix}.`)) &&
      id.tags.map(({ key, value }) => `${key}=${value}`).join() === (tag ?? []).join('='),
  )
  const values: Record<string, number> = {}
  for (const meter of found) {
    const value = 'count' in meter ? meter.count : 'value' in meter ? meter.value : Number.NaN
    values[meter.id.name.slice(prefix.length + 1)] = value
  }
  return values
}
