import { outgoingStatements, poolStatements, telemetryStatements } from './statements/dependency-statements.ts'
import { healthStatements } from './statements/health-statements.ts'
import { logStatements } from './statements/log-statements.ts'
import { loopStatements, memoryStatements } from './statements/process-statements.ts'
import { routeStatements } from './statements/route-statements.ts'
import { clockStatements, trafficStatements } from './statements/surroundings-statements.ts'
import type { WhyApplication, WhyDocument, WhyMarker, WhyStatement } from './why-document.ts'
import { type WhyInput, windowMilliseconds } from './why-input.ts'

const sources = [
  ...[healthStatements, memoryStatements, poolStatements, loopStatements, outgoingStatements, clockStatements],
  ...[routeStatements, logStatements, telemetryStatements],
]

/** The document as JSON and as Markdown has at most 16 KB. */
const maxBytes = 16_384
const markdownReserve = 4_096
const maxStatements = 20
const maxMarkers = 20

/** The most characters of a marker, which contains names of the application. */
const maxMarkerText = 200

/** Returns what is wrong, the heaviest first. */
function stateAll(input: WhyInput): readonly WhyStatement[] {
  const found = sources.flatMap((read) => read(input))
  const all = found.length === 0 ? [] : [...found, ...trafficStatements(input)]
  return all
    .map((statement) => ({ ...statement, weight: Math.round(statement.weight) }))
    .sort((one, other) => other.weight - one.weight || (one.text < other.text ? -1 : 1))
}

/** Returns the document, without the statements that have no place in 16 KB. */
export function explain(input: WhyInput, { name, version, commit }: WhyApplication): WhyDocument {
  const application = { name, version, commit }
  const all = stateAll(input)
  const markers = markersOf(input, application)
  const documentOf = (count: number): WhyDocument => ({
    ...{ now: Math.round(input.now), windowSeconds: windowMilliseconds / 1_000, application },
    ...{ summary: summaryOf(all, input), statements: all.slice(0, count), markers, omitted: all.length - count },
  })
  let count = Math.min(all.length, maxStatements)
  while (count > 0 && Buffer.byteLength(JSON.stringify(documentOf(count))) > maxBytes - markdownReserve) count -= 1
  return documentOf(count)
}

function summaryOf(statements: readonly WhyStatement[], { health }: WhyInput): string {
  const [first] = statements
  if (first === undefined) return `Nothing is wrong${health === undefined ? '' : `; the health is ${health.status}`}.`
  const others = statements.length - 1
  return others === 0 ? `${first.text}.` : `${first.text}; and ${others} more.`
}

function markersOf({ now, startedAt, changes, levels, histories }: WhyInput, application: WhyApplication) {
  const markers: WhyMarker[] = changes
    .filter(({ path }) => path !== '')
    .map(({ at, path, from, to }) => ({ at, kind: 'health', text: `${path}: ${from} → ${to}` }))
  for (const { at, name, from, to } of levels) {
    markers.push({ at, kind: 'log-level', text: `level of ${name}: ${from ?? 'unknown'} → ${to ?? 'unknown'}` })
  }
  markers.push({ at: startedAt, kind: 'start', text: describeStart(application) })
  if (histories.shift !== undefined) markers.push({ at: histories.shift.at, kind: 'clock', text: 'the clock jumped' })
  return markers
    .filter(({ at }) => now - at <= windowMilliseconds)
    .sort((one, other) => other.at - one.at || (one.text < other.text ? -1 : 1))
    .slice(0, maxMarkers)
    .map((marker) => ({ ...marker, text: marker.text.slice(0, maxMarkerText) }))
}

function describeStart({ version, commit }: WhyApplication): string {
  const build = [version && `version ${version}`, commit && `commit ${commit.slice(0, 12)}`]
  return ['started', ...build.filter((part) => part)].join(', ')
}
