import { describe, it } from 'vitest'
import type { TestServer } from './server-process.ts'
import { useServer } from './use-server.ts'

/** A server that a test starts for itself. */
export interface ServerNeed {
  readonly name: string
  /** The path of its program, as far as it is installed. */
  readonly program: string | undefined
  /** How to install it. */
  readonly install: string
  readonly start: () => Promise<TestServer>
}

/**
 * `describe` for tests that need a server, which is started before and disposed of after them. Where it is not installed
 * they are skipped, and say how to install it; with `UPKEEP_REQUIRE_SERVERS=1` they fail instead.
 */
export function describeServer(
  { name, program, install, start }: ServerNeed,
  body: (server: () => TestServer) => void,
): void {
  if (program !== undefined) {
    describe(name, () => body(useServer(start)))
  } else if (process.env['UPKEEP_REQUIRE_SERVERS'] === '1') {
    it(`has ${name}`, () => {
      throw new Error(`${name} is not installed: ${install}`)
    })
  } else {
    console.warn(`SKIPPED: ${name} is not installed, so what needs it is not tested: ${install}`)
    describe.skip(`${name} (not installed: ${install})`, () => body(useServer(start)))
  }
}
