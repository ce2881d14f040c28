import { describe, it } from 'vitest'

/**
 * `describe` for tests with an optional requirement. `missing` names the requirement and the command that installs it;
 * `undefined` if it is met. An unmet one skips the tests with a warning, or fails them with `UPKEEP_REQUIRE_SERVERS=1`.
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

/** Returns a message with the install command if a program is missing, otherwise `undefined`. */
export function missingProgram(name: string, path: string | undefined, install: string): string | undefined {
  return path === undefined ? `${name} is not installed: ${install}` : undefined
}
