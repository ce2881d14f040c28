/** A logger of pino, as far as upkeep needs it. */
export interface PinoLogger {
  level: string
  readonly levelVal: number
  readonly levels: { readonly values: Readonly<Record<string, number>> }
  onChild(child: PinoLogger): void
  readonly warn?: ((details: object, message: string) => void) | undefined
  readonly error?: ((details: object, message: string) => void) | undefined
}
