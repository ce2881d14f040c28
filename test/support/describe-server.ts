import { describeWith, missingProgram } from './describe-with.ts'
import type { TestServer } from './server-process.ts'
import { useServer } from './use-server.ts'

/** A server that a test starts for itself. */
export interface ServerNeed {
  readonly name: string
  /** The path of its program, if it is installed. */
  readonly program: string | undefined
  /** How to install it. */
  readonly install: string
  readonly start: () => Promise<TestServer>
}

/** `describe` for tests that start a server before all and dispose of it after all; see `describeWith`. */
export function describeServer(
  { name, program, install, start }: ServerNeed,
  body: (server: () => TestServer) => void,
): void {
  describeWith(name, missingProgram(name, program, install), () => body(useServer(start)))
}
