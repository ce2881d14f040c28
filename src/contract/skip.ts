/** Says, from inside a check, that its rule cannot be looked at here, and why. */
class Skip extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

export function skip(reason: string): never {
  throw new Skip(reason)
}

/** Why a check was not made, where that is what was thrown. */
export function skipReason(error: unknown): string | undefined {
  return error instanceof Skip ? error.reason : undefined
}
