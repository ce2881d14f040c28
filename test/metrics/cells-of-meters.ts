import type { MeterRegistry } from 'upkeep'
import { extensible } from '../../src/metrics/extensible-registry.ts'
import type { StoredMeter } from '../../src/metrics/meter.ts'

/** The first meter of a name, as the registry stores it. */
export function storedMeter(registry: MeterRegistry, name: string): StoredMeter {
  for (const family of extensible(registry, 'test').families()) {
    if (family.name !== name) continue
    for (const meter of family.meters()) return meter
  }
  throw new Error(`There is no meter ${name}`)
}

/**
 * A number of cells for the first meter of a name, between one cell with -1 before them and one after them. `copy`
 * copies the meter to its cells and returns whether they changed, then all cells.
 */
export function cellsOf(registry: MeterRegistry, name: string, count: number) {
  const meter = storedMeter(registry, name)
  const cells = Float64Array.of(-1, ...new Array<number>(count).fill(0), -1)
  return { copy: (): readonly [boolean, readonly number[]] => [meter.copyTo(cells, 1), [...cells]] }
}
