import { countedLevel, countRecord } from '../events/level-counters.ts'
import { type EventContent, LineEvent, readContent } from '../events/line-event.ts'
import { hasLogSinks, logCell, publishLogEvent } from '../events/sinks.ts'
import { recordLevel } from '../levels/level.ts'
import { rootName } from '../levels/loggers.ts'
import { severityOfNumber } from '../levels/severity.ts'
import { parseBindings } from './pino-naming.ts'

/*
 * pino calls its user at many places. Only the diagnostics channel `tracing:pino_asJson:end` sees a finished record
 * together with its level and logger: after serializers, formatters and redaction, and also with a transport. The
 * mixin, which is called before in the same synchronous call, selects the loggers. Without a subscriber pino publishes
 * nothing.
 * Measured with pino 10.4: a record with a sink takes 1.4 times as long as without. With `hooks.logMethod`, which sees
 * neither mixins nor the final message, it takes 1.5 times as long.
 */
const channelName = 'tracing:pino_asJson:end'

/** Counts a record, and connects its logger while there are sinks. Called for each record before it is written. */
export function noteRecord(level: number, logger: unknown): void {
  countRecord(countedLevel(severityOfNumber(level)))
  if (hasLogSinks() && typeof logger === 'object' && logger !== null) connect(logger)
}

const connected = new WeakSet<object>()
let isSubscribed = false

function connect(logger: object): void {
  connected.add(logger)
  if (isSubscribed) return
  isSubscribed = true
  channel().subscribe(publishRecord)
}

function channel() {
  return process.getBuiltinModule('node:diagnostics_channel').channel(channelName)
}

/** Registered by pino. */
const hooksKey: unique symbol = Symbol.for('pino.hooks')

interface PublishedLogger {
  readonly levels: { readonly labels: Readonly<Record<number, string>> }
  readonly [hooksKey]?: { readonly streamWrite?: ((line: string) => string) | undefined } | undefined
}

/** What pino publishes; not part of its public types. */
interface SerializedRecord {
  readonly instance: PublishedLogger
  /** `time` is the beginning of the JSON text: `,"time":1732289362007`. */
  readonly arguments: ArrayLike<unknown> & readonly [fields: object, message: unknown, level: number, time: string]
  readonly result: string
}

function publishRecord(published: unknown): void {
  if (logCell.sinks === undefined) {
    isSubscribed = false
    channel().unsubscribe(publishRecord)
    return
  }
  try {
    // Safe: only pino publishes on this channel.
    const { instance, arguments: args, result } = published as SerializedRecord
    if (logCell.isSuspended || !connected.has(instance) || typeof result !== 'string') return
    const [fields, message, level, time] = args
    const name = recordLevel(instance.levels.labels[level] ?? String(level))
    const isNamed = !Object.hasOwn(fields, 'name')
    const line = writtenLine(instance, result)
    publishLogEvent(new PinoEvent(line, name, severityOfNumber(level), message, time, isNamed))
  } catch {
    // Node would end the process.
  }
}

/** Returns the line that is written: `hooks.streamWrite` of the application may remove secrets. */
function writtenLine(logger: PublishedLogger, line: string): string {
  const write = logger[hooksKey]?.streamWrite
  return write === undefined ? line : write(line)
}

/** The event of a record of pino. */
class PinoEvent extends LineEvent {
  readonly #message: unknown
  readonly #time: string
  /** Whether a field `name` is that of the logger: it is not a field of this record. */
  readonly #isNamed: boolean

  constructor(line: string, level: string, severity: number, message: unknown, time: string, isNamed: boolean) {
    super(line, Date.now(), level, severity)
    this.#message = message
    this.#time = time
    this.#isNamed = isNamed
  }

  protected read(fields: Readonly<Record<string, unknown>>): EventContent {
    const times = parseBindings(this.#time)
    // `name`, `pid` and `hostname` are bindings that pino adds by default; the latter two describe the process.
    const isBase = fields['pid'] === process.pid
    const content = readContent(fields, messageFieldOf(fields, this.#message), (name) => {
      return Object.hasOwn(times, name) || (isBase && (name === 'pid' || name === 'hostname'))
    })
    const { name, ...attributes } = content.attributes
    if (typeof name !== 'string' || !this.#isNamed || content.logger !== rootName) return content
    return { ...content, logger: name, attributes }
  }
}

/** Returns the field of the message: `messageKey` is an option, and a serializer or redaction may change its value. */
function messageFieldOf(fields: Readonly<Record<string, unknown>>, message: unknown): string | undefined {
  const names = Object.keys(fields)
  const found = message === undefined ? undefined : names.findLast((name) => fields[name] === message)
  return found ?? ['msg', 'message'].find((name) => name in fields)
}
