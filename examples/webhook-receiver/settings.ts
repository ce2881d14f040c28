import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** What an operator decides, read from the environment once at the start. */
export interface Settings {
  /** `PORT`: where to listen; 0 lets the system pick a free one. @default 3000 */
  readonly port: number
  /** `HOST`: the address or name to listen on. @default '127.0.0.1' */
  readonly host: string
  /** `DATA_DIR`: the folder of the embedded database, absolute. @default './data' */
  readonly dataDir: string
  /** `DATABASE_URL`: a PostgreSQL to use instead of the embedded one. */
  readonly databaseUrl: string | undefined
  /** `MANAGEMENT_TOKEN`: shows the details of the management endpoints to its bearers. */
  readonly managementToken: string | undefined
  /** `BUILD_ID`: which build this is, such as a commit; the second half of `X-Version-Id`. @default 'local' */
  readonly build: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings that an environment holds. An empty variable counts as one that is not set.
 *
 * @throws RangeError with one line for each variable that makes no sense: its name, and what it may be. Values are not
 * repeated, because some of them are secrets.
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
    build: read('BUILD_ID', 'local', parseBuild, 'up to 64 letters, digits and -._ such as a commit'),
  }
  if (faults.length > 0) throw new RangeError(faults.join('\n'))
  return settings
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined
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
