import { expect } from 'vitest'

/** An expected error without a code equals one that has a code of upkeep besides; `errors.test.ts` tests the codes. */
expect.addEqualityTesters([
  function (received: unknown, expected: unknown, testers) {
    if (!(received instanceof Error && expected instanceof Error)) return undefined
    if ('code' in expected || !('code' in received) || !/^UPKEEP_E/.test(String(received.code))) return undefined
    const { code, ...others } = Object.getOwnPropertyDescriptors(received)
    const withoutCode = Object.setPrototypeOf(new Error(), Object.getPrototypeOf(received))
    return this.equals(Object.defineProperties(withoutCode, others), expected, testers)
  },
])
