/** A rule that did not hold: what was sent, what came, and what was wanted instead. */
export interface Violation {
  readonly sent: string
  readonly came: string
  readonly wanted: string
}

const brand: unique symbol = Symbol('violation')

/** A violation on its way up; its message is for who reads a test's report. */
export type ViolationError = Error & { readonly [brand]: Violation }

export function violationError({ sent, came, wanted }: Violation): ViolationError {
  const lines = [`wanted  ${wanted}`, `sent    ${sent}`, `came    ${came}`]
  const error = Object.assign(new Error(lines.map(indentRest).join('\n')), { [brand]: { sent, came, wanted } })
  error.name = 'ContractViolation'
  return error
}

function indentRest(text: string): string {
  return text.replaceAll('\n', '\n        ')
}

export function violationOf(error: unknown): Violation | undefined {
  return typeof error === 'object' && error !== null && brand in error ? (error as ViolationError)[brand] : undefined
}
