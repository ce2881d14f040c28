import { describeValue } from '../../base/describe-value.ts'

/** Environment variables with their options. */
const variables: readonly (readonly [name: string, path: readonly string[], parse: (text: string) => unknown])[] = [
  ['UPKEEP_PORT', ['port'], parseNumber],
  ['UPKEEP_HOST', ['host'], String],
  ['UPKEEP_TLS_CERT_FILE', ['tls', 'certFile'], String],
  ['UPKEEP_TLS_KEY_FILE', ['tls', 'keyFile'], String],
  ['UPKEEP_TLS_CLIENT_CA_FILE', ['tls', 'clientCaFile'], String],
  ['UPKEEP_MAX_CONNECTIONS', ['maxConnections'], parseNumber],
  ['UPKEEP_MAX_CONNECTIONS_PER_ADDRESS', ['maxConnectionsPerAddress'], parseNumber],
  ['UPKEEP_AUDIT_FILE', ['auditFile'], String],
  ['UPKEEP_TOKEN', ['token'], String],
  ['UPKEEP_EXPOSE', ['expose'], parseList],
  ['UPKEEP_CONVENTIONS', ['conventions'], String],
  ['UPKEEP_GROUP', ['group'], String],
  ['UPKEEP_DISCOVER', ['discover'], (text) => (isFlag(text) ? parseBoolean(text) : parseList(text))],
  ['UPKEEP_READINESS', ['readiness'], parseList],
  ['UPKEEP_LOG_TRACE_IDS', ['logTraceIds'], parseBoolean],
  ['UPKEEP_ROUTES', ['routes'], parseList],
  ['UPKEEP_SHUTDOWN_DELAY', ['shutdown', 'delay'], String],
  ['UPKEEP_SHUTDOWN_TIMEOUT', ['shutdown', 'timeout'], String],
]

/** Variables that are read before the rest is loaded, where nothing is reported. */
const early: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['UPKEEP_START', ['server', 'always']],
  ['UPKEEP_SHUTDOWN', ['off', 'graceful']],
]

/** Further variables. Any other that begins with `UPKEEP_` is reported, since it is probably misspelt. */
const others = ['UPKEEP_DISABLED', 'UPKEEP_CONFIG', 'UPKEEP_QUIET']

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the options of the variables that are set and not empty, by their variable. */
export function readVariables(environment: Environment): readonly (readonly [name: string, options: object])[] {
  return variables.flatMap(([name, path, parse]) => {
    const text = environment[name]?.trim()
    return text ? [[name, nest(path, parse(text))] as const] : []
  })
}

/** Returns one message per variable that has no effect. */
export function findUselessVariables(environment: Environment): readonly string[] {
  const known = [...variables.map(([name]) => name), ...early.map(([name]) => name), ...others]
  return [
    ...early.flatMap(([name, values]) => {
      const text = environment[name]
      if (!text || values.includes(text)) return []
      return [`${name}: expected ${values.map(describeValue).join(' or ')}, received ${describeValue(text)}`]
    }),
    ...Object.keys(environment)
      .filter((name) => name.startsWith('UPKEEP_') && !known.includes(name))
      .map((name) => `${name}: unknown variable`),
  ]
}

function nest(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object
}

function parseNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text
}

function isFlag(text: string): boolean {
  return typeof parseBoolean(text) === 'boolean'
}

function parseBoolean(text: string): unknown {
  return { true: true, '1': true, false: false, '0': false }[text.toLowerCase()] ?? text
}

function parseList(text: string): unknown {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
