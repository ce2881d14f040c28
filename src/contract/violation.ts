/** A broken rule: what was sent, what was received, and what was expected. */
export interface Violation {
  readonly sent: string
  readonly received: string
  readonly expected: string
}

const brand: unique symbol = Symbol('violation')

/** A thrown violation; its message is for test reports. */
type ViolationError = Error & { readonly [brand]: Violation }

export function violationError({ sent, received, expected }: Violation): ViolationError {
  const lines = [`expected  ${expected}`, `sent      ${sent}`, `received  ${received}`]
  const error = Object.assign(new Error(lines.map(indentRest).join('\n')), { [brand]: { sent, received, expected } })
  error.name = 'ContractViolation'
  return error
}

function indentRest(text: string): string {
  return text.replaceAll('\n', '\n          ')
}

export function violationOf(error: unknown): Violation | undefined {
  return typeof error === 'object' && error !== null && brand in error ? (error as ViolationError)[brand] : undefined
}
