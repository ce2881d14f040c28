import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import {
  Label,
  Line,
  Location,
  Mapping,
  Function as PprofFunction,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format'
import type { ProfileDescription, ProfileFrame, ProfileNode, ThreadProfile } from './read-profile.ts'

/**
 * Encodes profiles as one in the format of pprof, compressed. Each sample has the label `thread`. Lines are those where
 * the time was spent, in the function that was running, and else where the function begins.
 */
export function encodePprof(
  profiles: readonly ThreadProfile[],
  { unit, valueType, startedAt, seconds, period, notes }: ProfileDescription,
): Uint8Array {
  const strings = new StringTable()
  const text = (value: string) => strings.dedup(value)
  const functions = new Map<string, PprofFunction>()
  const locations = new Map<string, Location>()

  const functionOf = ({ key, name, url, line }: ProfileFrame): PprofFunction => {
    const known = functions.get(key)
    if (known !== undefined) return known
    const created = new PprofFunction({
      // Another system name: pprof takes equal names for those of C++, and removes what is in brackets.
      ...{ id: functions.size + 1, name: text(name), systemName: text(key) },
      ...{ filename: text(fileOf(url)), startLine: line },
    })
    functions.set(key, created)
    return created
  }
  const locationOf = (frame: ProfileFrame, line: number): number => {
    const key = `${line}:${frame.key}`
    const known = locations.get(key)
    if (known !== undefined) return Number(known.id)
    const id = locations.size + 1
    const lines = [new Line({ functionId: functionOf(frame).id, line })]
    locations.set(key, new Location({ id, mappingId: 1, line: lines }))
    return id
  }
  const samplesOf = (node: ProfileNode, label: Label): readonly Sample[] => {
    const callers = callersOf(node).map((frame) => locationOf(frame, frame.line))
    return linesOf(node).map(
      ({ line, samples, value }) =>
        new Sample({
          locationId: [locationOf(node.frame, line), ...callers],
          value: [samples, Math.round(value)],
          label: [label],
        }),
    )
  }
  const sample = profiles.flatMap(({ thread, nodes }) => {
    const label = new Label({ key: text('thread'), str: text(thread) })
    return nodes.filter(({ value, samples }) => value > 0 || samples > 0).flatMap((node) => samplesOf(node, label))
  })

  const profile = new Profile({
    sampleType: [valueTypeOf('samples', 'count'), valueTypeOf(valueType, unit)],
    defaultSampleType: text(valueType),
    sample,
    mapping: [
      new Mapping({ id: 1, filename: text('node'), hasFunctions: true, hasFilenames: true, hasLineNumbers: true }),
    ],
    location: [...locations.values()],
    function: [...functions.values()],
    stringTable: strings,
    timeNanos: BigInt(startedAt) * 1_000_000n,
    durationNanos: BigInt(Math.round(seconds * 1e9)),
    periodType: valueTypeOf(period.type, unit),
    period: period.value,
    comment: notes.map(text),
  })
  return gzipSync(profile.encode())

  function valueTypeOf(type: string, of: string): ValueType {
    return new ValueType({ type: text(type), unit: text(of) })
  }
}

function callersOf(node: ProfileNode): readonly ProfileFrame[] {
  const frames: ProfileFrame[] = []
  for (let caller = node.parent; caller !== undefined; caller = caller.parent) frames.push(caller.frame)
  return frames
}

interface LineShare {
  readonly line: number
  readonly samples: number
  readonly value: number
}

/** Divides what a function spent by the lines where V8 found it. */
function linesOf({ frame, value, samples, lines }: ProfileNode): readonly LineShare[] {
  const ticks = lines.reduce((sum, each) => sum + each.ticks, 0)
  if (ticks === 0) return [{ line: frame.line, samples, value }]
  return lines.map(({ line, ticks: own }) => ({ line, samples: own, value: (value * own) / ticks }))
}

/** Returns the path of a script, which tools that show its source can open. */
function fileOf(url: string): string {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url
  } catch {
    return url
  }
}
