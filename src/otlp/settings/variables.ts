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
