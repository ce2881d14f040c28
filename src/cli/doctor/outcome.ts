import { type Colours, printable } from '../output.ts'

/** What `upkeep doctor` checks, in the order in which it is reported, and what a report calls it. */
const checkTitles = {
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

/** Returns outcomes as lines for a person: what was found, what is in order, what was not checked. */
export function outcomesAsText(outcomes: readonly Outcome[], colours: Colours, start?: string): string {
  const count = (kind: Outcome['kind']) => outcomes.filter((each) => each.kind === kind).length
  const counts = `${count('finding')} found, ${count('ok')} in order, ${count('unchecked')} not checked`
  const lines = outcomes.map((outcome) => line(outcome, colours))
  if (start !== undefined) lines.unshift(`${printable(start)}\n`)
  return `${lines.join('\n')}\n\n${counts}\n`
}

function line(outcome: Outcome, { red, green, yellow, dim }: Colours): string {
  switch (outcome.kind) {
    case 'finding':
      return `${red(`✗ ${outcome.check}`)}: ${printable(outcome.problem)}\n    ${printable(outcome.remedy)}`
    case 'ok':
      return `${green(`✓ ${outcome.check}`)}: ${checkTitles[outcome.check]}`
    case 'unchecked':
      return `${yellow(`- ${outcome.check}`)}: ${dim(`not checked: ${printable(outcome.reason)}`)}`
  }
}

/** Returns outcomes as JSON, for programs. */
export function outcomesAsJson(outcomes: readonly Outcome[], start?: string): string {
  const found = outcomes.filter(({ kind }) => kind === 'finding').length
  return `${JSON.stringify({ found, start, outcomes }, undefined, 2)}\n`
}
