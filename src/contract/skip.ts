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

export const noRelay = 'without a route that calls another service: pass its path as the option relay (--relay)'

export function noState(state: string): string {
  return `without a way to bring about the state: pass the option states.${state}, which the command does not have`
}
