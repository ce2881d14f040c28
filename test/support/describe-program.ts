import { describe, it } from 'vitest'
import { findProgram } from './programs.ts'

/** A program that a test runs, and the Debian package that has it. */
export interface ProgramNeed {
  readonly program: string
  readonly debian: string
}

/**
 * `describe` for tests that run an installed program, whose path they are handed. Where it is not installed they are
 * skipped, and say how to install it; with `UPKEEP_REQUIRE_SERVERS=1` they fail instead.
 */
export function describeProgram({ program, debian }: ProgramNeed, body: (path: string) => void): void {
  const path = findProgram(program)
  const install = `apt-get install ${debian}`
  if (path !== undefined) {
    describe(program, () => body(path))
  } else if (process.env['UPKEEP_REQUIRE_SERVERS'] === '1') {
    it(`has ${program}`, () => {
      throw new Error(`${program} is not installed: ${install}`)
    })
  } else {
    console.warn(`SKIPPED: ${program} is not installed, so what needs it is not tested: ${install}`)
    describe.skip(`${program} (not installed: ${install})`, () => body(program))
  }
}
