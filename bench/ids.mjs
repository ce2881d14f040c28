// Identifiers and trace context against the incumbents.
// Usage: node bench/ids.mjs [rounds, 11 by default] [what the titles of the groups to run begin with]
//
// Ids are made flat by reading a character of each, as their first use would. A row is the median of the ratios within
// the rounds; one that misses its goal is tried twice more, with more rounds. Exits with 1 when a goal is missed.
import * as crypto from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT } from '@opentelemetry/api'
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core'
import { RandomIdGenerator } from '@opentelemetry/sdk-trace-base'
import { build } from 'tsup'
import * as uuid from 'uuid'
import { uuidv7 } from 'uuidv7'
import { paired } from './harness.mjs'

const rounds = Math.min(Number(process.argv[2] ?? 11), 99)
if (!(rounds >= 5)) throw new RangeError(`rounds must be 5 to 99, not ${process.argv[2]}`)

const nodeMajor = Number.parseInt(process.versions.node, 10)
const ids = await buildIds()
const { createTraceIds, createUuidV4, createUuidV6, createUuidV7 } = ids
const { uuidV1, uuidV3, uuidV4, uuidV5, uuidV6, uuidV7 } = ids
const { formatTraceparent, isUuid, parseTraceparent, parseUuid, uuidToBytes } = ids
const { DNS } = ids.uuidNamespaces
const names = Array.from({ length: 64 }, (_, index) => `customer-${index}.example`)
const longNames = names.map((name) => name.repeat(20))
const texts = Array.from({ length: 512 }, () => flat(uuid.v4()))
const fields = Array.from({ length: 512 }, () => flat(`00-${hex(16)}-${hex(8)}-01`))
const carriers = fields.map((traceparent) => ({ traceparent }))
const propagator = new W3CTraceContextPropagator()
const idGenerator = new RandomIdGenerator()
const traceIds = createTraceIds()

checkThatAllAgree()
pollute()

const groups = [
  {
    title: 'version 4',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidV4().charCodeAt(7)
        return sum
      },
      'crypto.randomUUID': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += crypto.randomUUID().charCodeAt(7)
        return sum
      },
      uuid: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.v4().charCodeAt(7)
        return sum
      },
    },
    goals: { 'crypto.randomUUID': 2.5, uuid: 3 },
  },
  {
    title: 'version 7, in order',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidV7().charCodeAt(7)
        return sum
      },
      uuidv7: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidv7().charCodeAt(7)
        return sum
      },
      uuid: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.v7().charCodeAt(7)
        return sum
      },
      // Not in order within a millisecond; in newer versions of Node only.
      ...('randomUUIDv7' in crypto && {
        'crypto.randomUUIDv7': (n) => {
          let sum = 0
          for (let i = 0; i < n; i += 1) sum += crypto.randomUUIDv7().charCodeAt(7)
          return sum
        },
      }),
      'Date.now, the limit': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += Date.now()
        return sum
      },
    },
    goals: { uuidv7: 5, 'crypto.randomUUIDv7': 2, uuid: 10 },
  },
  {
    title: 'version 5, names of some 20 characters',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidV5(names[i & 63], DNS).charCodeAt(7)
        return sum
      },
      uuid: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.v5(names[i & 63], DNS).charCodeAt(7)
        return sum
      },
    },
    goals: { uuid: 4 },
  },
  {
    title: 'version 5, names of some 400 characters',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidV5(longNames[i & 63], DNS).charCodeAt(7)
        return sum
      },
      uuid: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.v5(longNames[i & 63], DNS).charCodeAt(7)
        return sum
      },
    },
    goals: {},
  },
  {
    title: 'version 3, names of some 20 characters',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidV3(names[i & 63], DNS).charCodeAt(7)
        return sum
      },
      uuid: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.v3(names[i & 63], DNS).charCodeAt(7)
        return sum
      },
    },
    goals: { uuid: 4 },
  },
  {
    title: 'version 1',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidV1().charCodeAt(7)
        return sum
      },
      uuid: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.v1().charCodeAt(7)
        return sum
      },
    },
    goals: {},
  },
  {
    title: 'version 6',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidV6().charCodeAt(7)
        return sum
      },
      uuid: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.v6().charCodeAt(7)
        return sum
      },
    },
    goals: {},
  },
  {
    title: 'parse and validate',
    contenders: {
      'upkeep: uuidToBytes': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuidToBytes(texts[i & 511])[3]
        return sum
      },
      // parse validates by itself.
      'uuid: parse': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += uuid.parse(texts[i & 511])[3]
        return sum
      },
    },
    goals: { 'uuid: parse': 3 },
  },
  {
    title: 'parse, with the version',
    contenders: {
      'upkeep: parseUuid': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) {
          const { bytes, version } = parseUuid(texts[i & 511])
          sum += bytes[3] + version
        }
        return sum
      },
      'uuid: parse, version': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) {
          const text = texts[i & 511]
          sum += uuid.parse(text)[3] + uuid.version(text)
        }
        return sum
      },
    },
    goals: { 'uuid: parse, version': 3 },
  },
  {
    title: 'validate alone',
    contenders: {
      'upkeep: isUuid': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += Number(isUuid(texts[i & 511]))
        return sum
      },
      'uuid: validate': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += Number(uuid.validate(texts[i & 511]))
        return sum
      },
    },
    goals: {},
  },
  {
    title: 'span id',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += traceIds.spanId().charCodeAt(7)
        return sum
      },
      'OpenTelemetry, Math.random': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += idGenerator.generateSpanId().charCodeAt(7)
        return sum
      },
    },
    goals: { 'OpenTelemetry, Math.random': 3 },
  },
  {
    title: 'trace id',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += traceIds.traceId().charCodeAt(7)
        return sum
      },
      'OpenTelemetry, Math.random': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += idGenerator.generateTraceId().charCodeAt(7)
        return sum
      },
    },
    goals: { 'OpenTelemetry, Math.random': 1.8 },
  },
  {
    title: 'traceparent, read',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += parseTraceparent(fields[i & 511]).flags
        return sum
      },
      'OpenTelemetry: parseTraceParent': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) sum += parseTraceParent(fields[i & 511]).traceFlags
        return sum
      },
    },
    // To read 55 characters one by one takes Node 20 some 75 ns, which is all that 2.3 would leave.
    goals: { 'OpenTelemetry: parseTraceParent': nodeMajor >= 22 ? 2.3 : 2 },
  },
  {
    title: 'traceparent, read and written',
    contenders: {
      upkeep: (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) {
          const carrier = {}
          carrier.traceparent = formatTraceparent(parseTraceparent(carriers[i & 511].traceparent))
          sum += carrier.traceparent.length
        }
        return sum
      },
      'OpenTelemetry: extract, inject': (n) => {
        let sum = 0
        for (let i = 0; i < n; i += 1) {
          const carrier = {}
          const extracted = propagator.extract(ROOT_CONTEXT, carriers[i & 511], defaultTextMapGetter)
          propagator.inject(extracted, carrier, defaultTextMapSetter)
          sum += carrier.traceparent.length
        }
        return sum
      },
    },
    goals: { 'OpenTelemetry: extract, inject': 4.5 },
  },
]

console.log(`Node ${process.version}, ${rounds} rounds; nanoseconds of one call, and how many times ours that is`)
const chosen = groups.filter(({ title }) => title.startsWith(process.argv[3] ?? ''))
const missed = chosen.filter((group) => !measure(group))
if (missed.length > 0) {
  console.log(`\nMissed: ${missed.map(({ title }) => title).join('; ')}`)
  process.exitCode = 1
}

/** Times a group, up to three times until its goals are met, and prints each time. */
function measure({ title, contenders, goals }) {
  const [ours, ...peers] = Object.keys(contenders)
  for (const factor of [1, 2, 3]) {
    const result = paired(contenders, { rounds: rounds * factor })
    console.log(`\n${title}${factor > 1 ? `, again with ${rounds * factor} rounds` : ''}`)
    console.log(`  ${ours.padEnd(34)}${result.medians[ours].toFixed(1).padStart(9)}`)
    const met = peers.map((peer) => {
      const ratio = result.ratio(peer, ours)
      const goal = goals[peer]
      const verdict = goal === undefined ? '' : `, goal ${goal}${ratio >= goal ? '' : ' MISSED'}`
      console.log(
        `  ${peer.padEnd(34)}${result.medians[peer].toFixed(1).padStart(9)}${ratio.toFixed(2).padStart(8)}${verdict}`,
      )
      return goal === undefined || ratio >= goal
    })
    if (!met.includes(false)) return true
  }
  return false
}

/** What the package exports of `src/ids`, and no more, in one file: an exported function is reached in a slower way. */
async function buildIds() {
  const folder = new URL('../build/bench/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const exported = {
    'is-uuid': 'isUuid',
    'parse-uuid': 'parseUuid',
    'trace-ids': 'createTraceIds',
    traceparent: 'formatTraceparent, parseTraceparent',
    'uuid-bytes': 'bytesToUuid, uuidToBytes',
    'uuid-namespaces': 'uuidNamespaces',
    'uuid-v1': 'createUuidV1, uuidV1',
    'uuid-v3': 'uuidV3',
    'uuid-v4': 'createUuidV4, uuidV4',
    'uuid-v5': 'uuidV5',
    'uuid-v6': 'createUuidV6, uuidV6',
    'uuid-v7': 'createUuidV7, uuidV7',
  }
  const lines = Object.entries(exported).map(([file, names]) => `export { ${names} } from '../../src/ids/${file}.ts'\n`)
  writeFileSync(new URL('ids.ts', folder), lines.join(''))
  await build({
    config: false,
    entry: [fileURLToPath(new URL('ids.ts', folder))],
    outDir: fileURLToPath(folder),
    format: 'esm',
    target: 'node20',
    splitting: false,
    silent: true,
  })
  return import(new URL('ids.js', folder).href)
}

function checkThatAllAgree() {
  for (const name of [...names, ...longNames, 'é', '']) {
    equal(uuidV5(name, DNS), uuid.v5(name, DNS))
    equal(uuidV3(name, DNS), uuid.v3(name, DNS))
  }
  for (const text of texts) {
    equal(uuidToBytes(text).join(), uuid.parse(text).join())
    equal(parseUuid(text).version, uuid.version(text))
    equal(isUuid(text), uuid.validate(text))
  }
  for (const field of [...fields, 'malformed', fields[0].slice(1), fields[0].toUpperCase()]) {
    const [own, theirs] = [parseTraceparent(field), parseTraceParent(field)]
    equal(own?.traceId, theirs?.traceId)
    equal(own?.spanId, theirs?.spanId)
    equal(own?.flags, theirs?.traceFlags)
  }
}

function equal(own, theirs) {
  if (own !== theirs) throw new Error(`${own} is not ${theirs}`)
}

/** Runs the same code in other ways first, so that no contender is timed with one kind of input alone. */
function pollute() {
  const generators = Array.from({ length: 4 }, () => [createUuidV7(), createUuidV4(), createUuidV6()]).flat()
  for (let i = 0; i < 40_000; i += 1) {
    generators[i % generators.length]()
    const bad = `${fields[i & 511].slice(0, i % 60)}${i % 2 === 0 ? '\u0130' : 'x'}`
    // From HTTP a field comes in characters of one byte.
    const field = flat(bad)
    parseTraceparent(field)
    parseTraceParent(field)
    isUuid(bad)
    uuid.validate(bad)
    parseUuid(bad)
  }
}

function hex(bytes) {
  return crypto.randomBytes(bytes).toString('hex')
}

/** The same text in one piece, as a parser of HTTP would hand it over. */
function flat(text) {
  return Buffer.from(text).toString('latin1')
}
