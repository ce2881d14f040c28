import { describe, it } from 'vitest'

/**
 * `describe` for tests that need something the machine may lack. `missing` says what that is and which command provides
 * it; `undefined` if it is there. What is missing skips the tests with a warning, or fails with
 * `UPKEEP_REQUIRE_SERVERS=1`.
 */
export function describeWith(name: string, missing: string | undefined, body: () => void): void {
  if (missing === undefined) {
    describe(name, body)
  } else if (process.env['UPKEEP_REQUIRE_SERVERS'] === '1') {
    it(`has ${name}`, () => {
      throw new Error(missing)
    })
  } else {
    console.warn(`SKIPPED: ${missing}`)
    describe.skip(`${name} (${missing})`, body)
  }
}

/** Says that a program is not installed, and how to install it; `undefined` if it is. */
export function missingProgram(name: string, path: string | undefined, install: string): string | undefined {
  return path === undefined ? `${name} is not installed: ${install}` : undefined
}
