import { createSafeCall, ignoreRejection, onlyFirst, unexpected } from '../base/callback.ts'
import { withDeadline } from '../base/deadline.ts'
import type { MeterSnapshot, SnapshotSource } from './snapshot.ts'

/** Longer than any source should take; a source may have a timeout of its own. */
const deadlineMilliseconds = 30_000

/**
 * Wraps a source of the application so that it never fails a reader: if it throws, its remaining meters are omitted and
 * `failed` is called once. A refresh is awaited for at most 30 seconds.
 */
export function createSafeSource(source: SnapshotSource, failed: (error: unknown) => void): SnapshotSource {
  const report = onlyFirst(failed)
  const names = createSafeCall<[], readonly string[]>(readNames, report)

  function* read<T>(start: () => Iterable<T>): Generator<T> {
    try {
      const iterable = start()
      ignoreRejection(iterable)
      yield* iterable
    } catch (error) {
      report(error)
    }
  }

  return {
    names: () => names(() => source.names()) ?? [],
    snapshot: (name) => read<MeterSnapshot>(() => source.snapshot(name)),
    slices: (size) => read(() => source.slices(size)),
    async refresh() {
      try {
        await withDeadline(Promise.resolve(source.refresh?.()), deadlineMilliseconds, 'refresh')
      } catch (error) {
        report(error)
      }
    },
  }
}

function readNames(names: unknown): readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names
  throw unexpected('an array of names', names)
}
