/** A number is read, or nothing where there is nothing to read. */
export function numberFault(value: unknown): string | undefined {
  return isNothing(value) || typeof value === 'number' ? undefined : `it gave ${describe(value)}, not a number`
}

/** A count and a total are read, or nothing where there is nothing to read. */
export function timedTotalFault(value: unknown): string | undefined {
  if (isNothing(value)) return undefined
  if (typeof value !== 'object' || !('count' in value && 'total' in value)) {
    return `it gave ${describe(value)}, not { count, total }`
  }
  const fault = numberFault(value.count) ?? numberFault(value.total)
  return fault && `of count and total ${fault}`
}

function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function describe(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
