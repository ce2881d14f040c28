import type { Clock } from '../../base/clock.ts'
import { createPacer } from '../../base/pacer.ts'
import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'

/** Timeout of refreshing a source, in milliseconds. */
const refreshMilliseconds = 5_000

/** Refreshes a source and returns its slices, with a turn of the event loop after each half of a millisecond of work. */
export async function* readSlices(
  source: SnapshotSource,
  clock: Clock,
): AsyncGenerator<readonly MeterSnapshot[], void, void> {
  await refresh(source)
  const pacer = createPacer(clock)
  for (const slice of source.slices()) {
    yield slice
    if (pacer.isDue()) await pacer.yield()
  }
}

/** Refreshes a source; one that hangs is read without. */
async function refresh(source: SnapshotSource): Promise<void> {
  const refreshing = source.refresh?.()
  if (refreshing === undefined) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, refreshMilliseconds)
  })
  await Promise.race([refreshing, late])
  clearTimeout(timer)
}
