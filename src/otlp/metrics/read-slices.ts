import type { Clock } from '../../base/clock.ts'
import { nextTurn } from '../../base/timers.ts'
import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'

/** How long an export may block the event loop at once, in milliseconds. */
export const sliceMilliseconds = 1

/** Timeout of refreshing a source, in milliseconds. */
const refreshMilliseconds = 5_000

/** Refreshes a source and returns its slices, with a turn of the event loop after each millisecond of work. */
export async function* readSlices(
  source: SnapshotSource,
  clock: Clock,
): AsyncGenerator<readonly MeterSnapshot[], void, void> {
  await refresh(source)
  let began = clock.monotonicTime()
  for (const slice of source.slices()) {
    yield slice
    if (clock.monotonicTime() - began < sliceMilliseconds) continue
    await nextTurn()
    began = clock.monotonicTime()
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
