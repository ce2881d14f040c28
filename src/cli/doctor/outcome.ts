/** What `upkeep doctor` checks, in the order in which it is reported, and what a report calls it. */
export const checkTitles = {
  access: 'Endpoints are not readable by everyone.',
  address: 'The server can be reached from outside its container.',
  copies: 'There is one copy of upkeep and of @opentelemetry/api.',
  versions: 'Node and the packages beside upkeep have supported versions.',
  requests: 'Requests are in http.server.requests.',
  order: 'Requests reach observe before the routes.',
  readiness: 'Readiness has an indicator, or no client of a database is installed.',
  liveness: 'Liveness depends on no other system.',
  drain: 'The shutdown ends within the grace period.',
  heap: 'The heap fits into the memory of the container.',
  clock: 'The clocks agree.',
} as const

export type CheckName = keyof typeof checkTitles

/** The outcome of one check. A check may have several findings. */
export type Outcome =
  | { readonly check: CheckName; readonly kind: 'ok' }
  | { readonly check: CheckName; readonly kind: 'unchecked'; readonly reason: string }
  | {
      readonly check: CheckName
      readonly kind: 'finding'
      readonly problem: string
      /** The line that mends it. */
      readonly remedy: string
    }

export function ok(check: CheckName): Outcome {
  return { check, kind: 'ok' }
}

export function unchecked(check: CheckName, reason: string): Outcome {
  return { check, kind: 'unchecked', reason }
}

export function finding(check: CheckName, problem: string, remedy: string): Outcome {
  return { check, kind: 'finding', problem, remedy }
}

/** Returns the outcomes in the order of the checks; those without any are reported as unchecked. */
export function completeOutcomes(
  outcomes: readonly Outcome[],
  reasons: Readonly<Partial<Record<CheckName, string>>>,
): readonly Outcome[] {
  // Safe: these are the keys of an object literal.
  const names = Object.keys(checkTitles) as CheckName[]
  return names.flatMap((name) => {
    const own = outcomes.filter(({ check }) => check === name)
    return own.length > 0 ? own : [unchecked(name, reasons[name] ?? 'there was nothing to check')]
  })
}
