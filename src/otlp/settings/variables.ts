/** The variables of an environment: `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What the text of a variable says; `undefined` for nonsense. */
export interface VariableGrammar<T> {
  readonly parse: (text: string) => T | undefined
  /** Completes the sentence "expected …". */
  readonly expected: string
  /** Must not be shown. */
  readonly secret?: boolean
}

/** Reads variables, and gathers what is wrong with them. */
export interface VariableReader {
  /** The value of the first of these variables that is set; one that is empty is not. */
  read<T>(names: readonly string[], grammar: VariableGrammar<T>): T | undefined
  /** Notes a fault where of two variables, each under several names, one is set without the other. */
  demandBoth(names: readonly string[], others: readonly string[]): void
  /** What is wrong with which variable, each once: `OTEL_X: expected …, received "x"`. */
  readonly faults: readonly string[]
}

export function createVariableReader(environment: Environment): VariableReader {
  const faults = new Set<string>()
  const setOf = (names: readonly string[]) => names.find((each) => environment[each]?.trim())
  return {
    demandBoth(names, others) {
      const [one, other] = [setOf(names), setOf(others)]
      if (one !== undefined && other === undefined) faults.add(`${one} requires ${others.join(' or ')}`)
      if (one === undefined && other !== undefined) faults.add(`${other} requires ${names.join(' or ')}`)
    },
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
