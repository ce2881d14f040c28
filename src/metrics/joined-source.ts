import type { MeterSnapshot, SnapshotSource } from './snapshot.ts'

/** Joins sources into one. If several have a name, the first takes precedence; the series of the others are omitted. */
export function joinSources(
  sources: readonly SnapshotSource[],
  /** Called once for each name that is omitted. */
  onDuplicate: (name: string) => void = () => {},
): SnapshotSource {
  const reported = new Set<string>()

  /** Returns the source of each current name, sorted by name. */
  const owners = (): Map<string, SnapshotSource> => {
    const byName = new Map<string, SnapshotSource>()
    for (const source of sources) {
      for (const name of source.names()) {
        if (!byName.has(name)) byName.set(name, source)
        else if (!reported.has(name)) {
          reported.add(name)
          onDuplicate(name)
        }
      }
    }
    return new Map([...byName].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  function* slices(size?: number): Generator<readonly MeterSnapshot[]> {
    const owner = owners()
    const reading = new Map(sources.map((source) => [source, createReader(source.slices(size))]))
    for (const [name, source] of owner) {
      const reader = reading.get(source)
      // A name that was added after the names were read has no owner yet: it is left to the next reader.
      while (reader?.name !== undefined && reader.name < name) reader.skip()
      while (reader?.name === name) yield reader.take()
    }
  }

  return {
    names: () => [...owners().keys()],
    snapshot: function* (name) {
      if (name === undefined) for (const slice of slices()) yield* slice
      else yield* owners().get(name)?.snapshot(name) ?? []
    },
    slices,
    refresh: async () => {
      await Promise.all(sources.map((source) => source.refresh?.()))
    },
  }
}

/** Reads slices one after the other. The name of the next one is known before it is taken. */
interface SliceReader {
  readonly name: string | undefined
  take(): readonly MeterSnapshot[]
  skip(): void
}

function createReader(slices: Iterable<readonly MeterSnapshot[]>): SliceReader {
  const iterator = slices[Symbol.iterator]()
  let next = nextFilled(iterator)
  const take = (): readonly MeterSnapshot[] => {
    const slice = next ?? []
    next = nextFilled(iterator)
    return slice
  }
  return {
    get name() {
      return next?.[0]?.id.name
    },
    take,
    skip: () => void take(),
  }
}

function nextFilled(iterator: Iterator<readonly MeterSnapshot[]>): readonly MeterSnapshot[] | undefined {
  for (;;) {
    const step = iterator.next()
    if (step.done) return undefined
    if (step.value.length > 0) return step.value
  }
}
