import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { isReceiverUrl } from './receiver-url.ts'

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Parses a variable; `undefined` if invalid. */
export interface VariableGrammar<T> {
  readonly parse: (text: string) => T | undefined
  /** Completes the sentence "expected …". */
  readonly expected: string
  /** Whether the value must not be shown in errors. */
  readonly secret?: boolean
}

/** Reads variables and collects errors. */
export interface VariableReader {
  /** Returns the value of the first variable that is set and not empty. */
  read<T>(names: readonly string[], grammar: VariableGrammar<T>): T | undefined
  /** Adds an error if only one of two variables, each with several names, is set. */
  requireBoth(names: readonly string[], others: readonly string[]): void
  /** Adds an error. */
  fail(fault: string): void
  /** One error per invalid variable: `OTEL_X: expected …, received "x"`. */
  readonly faults: readonly string[]
}

export function createVariableReader(environment: Environment): VariableReader {
  const faults = new Set<string>()
  const setOf = (names: readonly string[]) => names.find((each) => environment[each]?.trim())
  return {
    requireBoth(names, others) {
      const [one, other] = [setOf(names), setOf(others)]
      if (one !== undefined && other === undefined) faults.add(`${one} requires ${others.join(' or ')}`)
      if (one === undefined && other !== undefined) faults.add(`${other} requires ${names.join(' or ')}`)
    },
    fail: (fault) => void faults.add(fault),
    get faults() {
      return [...faults]
    },
    read(names, { parse, expected, secret = false }) {
      const name = setOf(names)
      if (name === undefined) return undefined
      const text = environment[name]?.trim() ?? ''
      const value = parse(text)
      if (value === undefined)
        faults.add(`${name}: expected ${expected}${secret ? '' : `, received ${JSON.stringify(text)}`}`)
      return value
    },
  }
}

export const aText: VariableGrammar<string> = { parse: (text) => text, expected: 'a string' }

export const aFlag: VariableGrammar<boolean> = {
  parse: (text) => ({ true: true, false: false })[text.toLowerCase()],
  expected: 'true or false',
}

export const aUrl: VariableGrammar<string> = {
  parse: (text) => (isReceiverUrl(text) ? text : undefined),
  expected: 'a URL such as "http://localhost:4318"',
}

const milliseconds: VariableGrammar<number> = {
  parse: wholeNumber,
  expected: 'a whole number of milliseconds of 1 or more',
}

export const aCount: VariableGrammar<number> = { parse: wholeNumber, expected: 'a whole number of 1 or more' }

export const aProbability: VariableGrammar<number> = {
  parse: (text) => (/^(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number(text) <= 1 ? Number(text) : undefined),
  expected: 'a number from 0 to 1',
}

export function oneOf<const T extends string>(...values: readonly T[]): VariableGrammar<T> {
  return {
    parse: (text) => values.find((value) => value === text.toLowerCase()),
    expected: `one of ${values.join(', ')}`,
  }
}

export const aProtocol: VariableGrammar<'http/protobuf' | 'http/json'> = oneOf('http/protobuf', 'http/json')

/**
 * Parses `key=value,key=value`, both percent-encoded. OpenTelemetry specification, resource SDK,
 * `OTEL_RESOURCE_ATTRIBUTES`.
 */
export const pairs: VariableGrammar<Readonly<Record<string, string>>> = {
  parse: (text) => parsePairs(text, decode),
  expected: 'percent-encoded pairs such as "key=value,other=value"',
  secret: true,
}

/**
 * Parses the same format as header fields: names in lower case, never encoded. W3C Baggage §3.3.1, without properties.
 */
export const headerFields: VariableGrammar<Readonly<Record<string, string>>> = {
  parse: (text) => {
    const fields = Object.entries(parsePairs(text, (name) => name) ?? { '': '' })
    const valid = fields.every(
      ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    )
    return valid ? Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])) : undefined
  },
  expected: 'header fields with percent-encoded values such as "authorization=Bearer%20…,tenant=a"',
  secret: true,
}

function parsePairs(
  text: string,
  keyOf: (text: string) => string | undefined,
): Readonly<Record<string, string>> | undefined {
  const parsed: Record<string, string> = {}
  for (const member of text.split(',')) {
    if (member.trim() === '') continue
    const at = member.indexOf('=')
    const key = keyOf(member.slice(0, Math.max(at, 0)).trim())
    const value = decode(member.slice(at + 1).trim())
    if (key === undefined || key === '' || value === undefined) return undefined
    parsed[key] = value
  }
  return parsed
}

/** Returns percent-encoded text; `undefined` if it is malformed. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) >= 1 ? Number(text) : undefined
}

/** 23 days: Node fires timers with delays over 24.8 days immediately. */
const maxMilliseconds = 2_000_000_000

/** Limits a delay to the range of timers. */
export function boundedMilliseconds(value: number): number {
  return Math.min(value, maxMilliseconds)
}

/** Returns the milliseconds of an option, else of the first variable that is set, else the default. */
export function readMilliseconds(
  duration: Duration | undefined,
  variables: VariableReader,
  names: readonly string[],
  usual: number,
): number {
  return boundedMilliseconds(
    duration === undefined
      ? (variables.read(names, milliseconds) ?? usual)
      : durationMilliseconds(duration, 'The duration'),
  )
}
