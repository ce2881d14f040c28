import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Duration } from 'upkeep'
import type { LogLevel } from 'upkeep/logging'

/** The settings of the receiver, read from the environment once at start-up. */
export interface Settings {
  /** `PORT`: the port to listen on; with 0 the system chooses a free one. @default 3000 */
  readonly port: number
  /** `HOST`: the address or name to listen on. @default '127.0.0.1' */
  readonly host: string
  /** `DATA_DIR`: the folder of the embedded database, absolute. @default './data' */
  readonly dataDir: string
  /** `DATABASE_URL`: a PostgreSQL to use instead of the embedded one. */
  readonly databaseUrl: string | undefined
  /**
   * `MANAGEMENT_TOKEN`: authorizes operators, for hooks, their messages, and the details of the management endpoints.
   */
  readonly managementToken: string | undefined
  /** `BUILD_ID`: identifies the build, such as a commit; the second half of `X-Version-Id`. @default 'local' */
  readonly build: string
  /** `MAX_BODY_BYTES`: the largest body of a message, after decompression. @default 65536 */
  readonly longestBody: number
  /** `MAX_TEXT_LENGTH`: the longest text, in UTF-16 code units. @default 65536 */
  readonly longestText: number
  /** `MESSAGES_PER_MINUTE`: the maximum per hook, on each instance; 0 means no limit. @default 6000 */
  readonly messagesPerMinute: number
  /**
   * `SIGNATURE_TOLERANCE_SECONDS`: the maximum difference between the clocks of a signing sender and of the receiver.
   * @default 300
   */
  readonly signatureToleranceSeconds: number
  /** `KEY_OVERLAP_SECONDS`: how long previous keys remain valid after a rotation, by default. @default 86400 */
  readonly keyOverlapSeconds: number
  /**
   * `SHUTDOWN_DELAY`: how long it continues to serve after `SIGTERM`, so that load balancers notice first. @default
   * '0s'
   */
  readonly shutdownDelay: Duration
  /** `LOG_FORMAT`: `text` for people, `json` for programs. @default 'text' */
  readonly logFormat: 'text' | 'json'
  /** `LOG_LEVEL`: which records are written. @default 'INFO' */
  readonly logLevel: LogLevel
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: where metrics and traces are sent to; by default they are not sent. */
  readonly telemetryUrl: string | undefined
}

const logLevels: readonly LogLevel[] = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE']

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings from an environment. An empty variable counts as unset.
 *
 * @throws RangeError with one line per invalid variable: its name and what is expected. Values are omitted, because
 * some are secrets.
 */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = []
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, mayBe: string): T => {
    const text = environment[name]
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value === undefined) faults.push(`${name} must be ${mayBe}`)
    return value ?? fallback
  }
  const settings: Settings = {
    port: read('PORT', 3000, parsePort, 'a whole number from 0 to 65535; 0 picks a free port'),
    host: read('HOST', '127.0.0.1', parseHost, 'an IP address or a host name, without a scheme and without a port'),
    dataDir: read('DATA_DIR', resolve('data'), parseFolder, 'the path of a folder'),
    databaseUrl: read(
      'DATABASE_URL',
      undefined,
      parseDatabaseUrl,
      'an address such as postgres://user:password@host/db',
    ),
    managementToken: read('MANAGEMENT_TOKEN', undefined, parseToken, 'visible ASCII characters without blanks'),
    longestBody: read(
      'MAX_BODY_BYTES',
      65_536,
      countFrom(1_024, 10_485_760),
      'a number of bytes from 1024 to 10485760',
    ),
    longestText: read('MAX_TEXT_LENGTH', 65_536, countFrom(1, 10_485_760), 'a number of characters from 1 to 10485760'),
    messagesPerMinute: read(
      'MESSAGES_PER_MINUTE',
      6_000,
      countFrom(0, 1_000_000),
      'a whole number from 0 to 1000000; 0 is no limit',
    ),
    signatureToleranceSeconds: read(
      'SIGNATURE_TOLERANCE_SECONDS',
      300,
      countFrom(1, 86_400),
      'a number of seconds from 1 to 86400',
    ),
    keyOverlapSeconds: read(
      'KEY_OVERLAP_SECONDS',
      86_400,
      countFrom(0, 31_536_000),
      'a number of seconds from 0 to 31536000',
    ),
    shutdownDelay: read<Duration>(
      'SHUTDOWN_DELAY',
      '0s',
      parseDelay,
      "a duration up to a minute such as '5s' or '500ms'",
    ),
    logFormat: read('LOG_FORMAT', 'text', oneOf(['text', 'json']), 'text or json'),
    logLevel: read('LOG_LEVEL', 'INFO', oneOf(logLevels), `one of ${logLevels.join(', ')}`),
    telemetryUrl: read(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      undefined,
      parseHttpUrl,
      'an http or https address such as http://collector:4318',
    ),
    build: read('BUILD_ID', 'local', parseBuild, 'up to 64 letters, digits and -._ such as a commit'),
  }
  if (faults.length > 0) throw new RangeError(faults.join('\n'))
  return settings
}

/** Case-insensitive: `info` and `INFO` are the same. */
function oneOf<Text extends string>(texts: readonly Text[]): (text: string) => Text | undefined {
  return (text) => texts.find((each) => each.toLowerCase() === text.toLowerCase())
}

function parseHttpUrl(text: string): string | undefined {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined
}

function countFrom(least: number, most: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,8}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined)
}

function parseDelay(text: string): Duration | undefined {
  return /^(\d{1,5}ms|\d{1,2}s|1m)$/.test(text) ? (text as Duration) : undefined
}

function parseHost(text: string): string | undefined {
  const name = /^(?!-)[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*$/i
  const onlyNumbers = /^[\d.]+$/
  return isIP(text) !== 0 || (name.test(text) && !onlyNumbers.test(text)) ? text : undefined
}

function parseFolder(text: string): string | undefined {
  return text.trim() === '' || text.includes('\0') || text.includes('://') ? undefined : resolve(text)
}

function parseDatabaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol } = new URL(text)
  return protocol === 'postgres:' || protocol === 'postgresql:' ? text : undefined
}

function parseToken(text: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined
}

function parseBuild(text: string): string | undefined {
  return /^[\w.-]{1,64}$/.test(text) ? text : undefined
}
