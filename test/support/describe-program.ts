import { describeWith, missingProgram } from './describe-with.ts'
import { findProgram } from './programs.ts'

/** A program that a test runs, and its Debian package. */
export interface ProgramNeed {
  readonly program: string
  readonly debian: string
}

/** `describe` for tests that run an installed program, whose path they receive; see `describeWith`. */
export function describeProgram({ program, debian }: ProgramNeed, body: (path: string) => void): void {
  const path = findProgram(program)
  describeWith(program, missingProgram(program, path, `apt-get install ${debian}`), () => body(path ?? program))
}
