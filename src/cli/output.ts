/** The output streams of a command. */
export interface Output {
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  readonly isTerminal: boolean
}

type Paint = (text: string) => string

export interface Colours {
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly dim: Paint
  readonly bold: Paint
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns functions that color text on a terminal, or if FORCE_COLOR is set; it takes precedence over NO_COLOR. */
export function coloursFor({ FORCE_COLOR: force, NO_COLOR: no }: Environment, isTerminal: boolean): Colours {
  const forced = force === undefined || force === '' ? undefined : !/^(0|false)$/.test(force)
  const use = forced ?? ((no === undefined || no === '') && isTerminal)
  const paint = (code: number, end: number): Paint =>
    use ? (text) => `\u001b[${code}m${text}\u001b[${end}m` : (text) => text
  return { red: paint(31, 39), green: paint(32, 39), yellow: paint(33, 39), dim: paint(2, 22), bold: paint(1, 22) }
}

/** Replaces control characters, which names of others may contain, and which a terminal obeys. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd')
}
