/** Thrown by a check whose rule cannot be checked here, with the reason. */
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

/** Returns the reason of a `Skip`. */
export function skipReason(error: unknown): string | undefined {
  return error instanceof Skip ? error.reason : undefined
}

export const noCredentials = 'no credentials: pass the option token or authorization (--token, --user)'

export const noRelay = 'no route that calls another service: pass its path as the option relay (--relay)'

export function noState(state: string): string {
  return `no way to bring about the state: pass the option states.${state}, which the command does not have`
}
