/** The output streams of a command. */
export interface Output {
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  readonly isTerminal: boolean
}
