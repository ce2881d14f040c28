// Identifiers and trace context against the incumbents.
// Usage: node bench/ids.mjs [rounds, 11 by default] [what the titles of the groups to run begin with]
//
// Ids are made flat by reading a character of each, as their first use would. A row is the median of the ratios within
// the rounds; one that misses its goal is tried twice more, with more rounds. Exits with 1 when a goal is missed.
import * as crypto from 'node:crypto'
import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT } from '@opentelemetry/api'
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core'
import { RandomIdGenerator } from '@opentelemetry/sdk-trace-base'
import * as uuid from 'uuid'
import { uuidv7 } from 'uuidv7'
import { buildIds } from './built-ids.mjs'
import { compare } from './compare.mjs'

const rounds = Math.min(Number(process.argv[2] ?? 11), 99)
if (!(rounds >= 5)) throw new RangeError(`rounds must be 5 to 99, not ${process.argv[2]}`)

const ids = await buildIds()
const DNS = ids.uuidNamespaces.DNS
const names = Array.from({ length: 64 }, (_, index) => `customer-${index}.example`)
const longNames = names.map((name) => name.repeat(20))
const texts = Array.from({ length: 512 }, () => flat(uuid.v4()))
const fields = Array.from({ length: 512 }, () => flat(`00-${hex(16)}-${hex(8)}-01`))
const carriers = fields.map((traceparent) => ({ traceparent }))
const propagator = new W3CTraceContextPropagator()
const traceIds = ids.createTraceIds()
const theirIds = new RandomIdGenerator()

checkThatAllAgree()
pollute()

/** What the contenders' sources name. */
const scope = {
  ...ids,
  ...{ DNS, names, longNames, texts, fields, carriers, traceIds, theirIds, propagator, ROOT_CONTEXT },
  ...{ randomUUID: crypto.randomUUID, randomUUIDv7: crypto.randomUUIDv7, uuidv7, parseTraceParent },
  ...{ v1: uuid.v1, v3: uuid.v3, v4: uuid.v4, v5: uuid.v5, v6: uuid.v6, v7: uuid.v7 },
  ...{ parse: uuid.parse, validate: uuid.validate, version: uuid.version },
  throughThem: (carrier, out) => {
    const extracted = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
    propagator.inject(extracted, out, defaultTextMapSetter)
    return out
  },
  throughUs: (carrier, out) => {
    out.traceparent = ids.formatTraceparent(ids.parseTraceparent(carrier.traceparent))
    return out
  },
}

const groups = [
  group('version 4', 'uuidV4().charCodeAt(7)', {
    'crypto.randomUUID': ['randomUUID().charCodeAt(7)', 2.5],
    uuid: ['v4().charCodeAt(7)', 3],
  }),
  group('version 7, in order', 'uuidV7().charCodeAt(7)', {
    uuidv7: ['uuidv7().charCodeAt(7)', 5],
    uuid: ['v7().charCodeAt(7)', 10],
    // Not in order within a millisecond, and not in every version of Node.
    ...(crypto.randomUUIDv7 && { 'crypto.randomUUIDv7': ['randomUUIDv7().charCodeAt(7)', 2] }),
    'Date.now, the limit': ['Date.now()'],
  }),
  group('version 5, names of some 20 characters', 'uuidV5(names[i & 63], DNS).charCodeAt(7)', {
    uuid: ['v5(names[i & 63], DNS).charCodeAt(7)', 4],
  }),
  group('version 5, names of some 400 characters', 'uuidV5(longNames[i & 63], DNS).charCodeAt(7)', {
    uuid: ['v5(longNames[i & 63], DNS).charCodeAt(7)'],
  }),
  group('version 3, names of some 20 characters', 'uuidV3(names[i & 63], DNS).charCodeAt(7)', {
    uuid: ['v3(names[i & 63], DNS).charCodeAt(7)', 4],
  }),
  group('version 1', 'uuidV1().charCodeAt(7)', { uuid: ['v1().charCodeAt(7)'] }),
  group('version 6', 'uuidV6().charCodeAt(7)', { uuid: ['v6().charCodeAt(7)'] }),
  // uuid's parse validates by itself.
  group('parse and validate', 'uuidToBytes(texts[i & 511])[3]', { uuid: ['parse(texts[i & 511])[3]', 3] }),
  group('parse, with the version', 'parseUuid(texts[i & 511]).version', {
    uuid: ['parse(texts[i & 511])[3] + version(texts[i & 511])', 3],
  }),
  group('validate alone', 'Number(isUuid(texts[i & 511]))', { uuid: ['Number(validate(texts[i & 511]))'] }),
  group('span id', 'traceIds.spanId().charCodeAt(7)', {
    'OpenTelemetry, Math.random': ['theirIds.generateSpanId().charCodeAt(7)', 3],
  }),
  group('trace id', 'traceIds.traceId().charCodeAt(7)', {
    'OpenTelemetry, Math.random': ['theirIds.generateTraceId().charCodeAt(7)', 1.8],
  }),
  group('traceparent, read', 'parseTraceparent(fields[i & 511]).flags', {
    OpenTelemetry: ['parseTraceParent(fields[i & 511]).traceFlags', 2.3],
  }),
  group('traceparent, read and written', 'throughUs(carriers[i & 511], {}).traceparent.length', {
    'OpenTelemetry: extract, inject': ['throughThem(carriers[i & 511], {}).traceparent.length', 4.5],
  }),
]

process.exitCode = compare(groups, { rounds, only: process.argv[3] }) ? 0 : 1

function group(title, ours, peers) {
  const sources = Object.entries(peers).map(([name, [source]]) => [name, source])
  return {
    title,
    contenders: Object.fromEntries([['upkeep', ours], ...sources].map(([name, source]) => [name, loop(source)])),
    goals: Object.fromEntries(Object.entries(peers).map(([name, [, goal]]) => [name, goal])),
  }
}

/** A loop whose source is its own: sharing one among contenders would measure the calls that it makes. */
function loop(source) {
  const body = `return (n) => { let sum = 0; for (let i = 0; i < n; i += 1) sum += ${source}; return sum }`
  return new Function(...Object.keys(scope), body)(...Object.values(scope))
}

function checkThatAllAgree() {
  for (const name of [...names, ...longNames, 'é', '']) {
    equal(ids.uuidV5(name, DNS), uuid.v5(name, DNS))
    equal(ids.uuidV3(name, DNS), uuid.v3(name, DNS))
  }
  for (const text of texts) {
    equal(ids.uuidToBytes(text).join(), uuid.parse(text).join())
    equal(ids.parseUuid(text).version, uuid.version(text))
    equal(ids.isUuid(text), uuid.validate(text))
  }
  for (const field of [...fields, 'malformed', fields[0].slice(1), fields[0].toUpperCase()]) {
    const [own, theirs] = [ids.parseTraceparent(field), parseTraceParent(field)]
    equal(own?.traceId, theirs?.traceId)
    equal(own?.spanId, theirs?.spanId)
    equal(own?.flags, theirs?.traceFlags)
  }
}

function equal(own, theirs) {
  if (own !== theirs) throw new Error(`${own} is not ${theirs}`)
}

/** Runs the same code in other ways first, so that nothing is timed with one kind of input alone. */
function pollute() {
  const generators = [ids.createUuidV7, ids.createUuidV4, ids.createUuidV6].flatMap((create) => [create(), create()])
  for (let i = 0; i < 40_000; i += 1) {
    generators[i % generators.length]()
    const bad = `${fields[i & 511].slice(0, i % 60)}${i % 2 === 0 ? '\u0130' : 'x'}`
    // From HTTP a field comes in characters of one byte.
    const field = flat(bad)
    ids.parseTraceparent(field)
    parseTraceParent(field)
    ids.isUuid(bad)
    uuid.validate(bad)
    ids.parseUuid(bad)
  }
}

function hex(bytes) {
  return crypto.randomBytes(bytes).toString('hex')
}

/** The same text in one piece, as a parser of HTTP would hand it over. */
function flat(text) {
  return Buffer.from(text).toString('latin1')
}
