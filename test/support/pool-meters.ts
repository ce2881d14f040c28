import type { MeterRegistry } from 'upkeep'

/** Returns the values of a pool's meters by the last part of their names; the count for a timer. */
export function poolMeterValues(meters: MeterRegistry, name: string): Readonly<Record<string, number>> {
  const found = [...meters.snapshot()].filter(({ id }) => id.name.startsWith(`${name}.connections.`))
  return Object.fromEntries(
    found.map((meter) => [
      meter.id.name.split('.').at(-1),
      'count' in meter ? meter.count : 'value' in meter ? meter.value : undefined,
    ]),
  )
}
