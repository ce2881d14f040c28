import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** More than the disturbances of a busy machine explain. */
const maxRepeated = 10

/**
 * How often a failed test is repeated: tests of timeouts, processes and sockets share the two cores of a CI machine
 * with each other. Elsewhere a failure is a failure.
 */
export const repetitions: number = process.env['CI'] ? 2 : 0

/**
 * Lists the tests that passed only when they were repeated, and fails the run if they are too many. Repeats the errors
 * outside of tests, for who sees only the end of the output.
 */
export class RepeatedTests implements Reporter {
  readonly #repeated: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { flaky, retryCount } = test.diagnostic() ?? {}
    if (!flaky) return
    const errors = test.result().errors?.map(({ message }) => `    ${message.split('\n')[0]}`) ?? []
    this.#repeated.push([`  ${test.module.moduleId}: ${test.fullName}, ${retryCount} times`, ...errors].join('\n'))
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const { stack, message } of unhandled) console.log(`\nOutside of tests: ${stack ?? message}`)
    if (this.#repeated.length === 0) return
    console.log(`\n${this.#repeated.length} tests passed only when repeated:\n${this.#repeated.join('\n')}`)
    if (this.#repeated.length <= maxRepeated) return
    console.log(`expected at most ${maxRepeated} of them`)
    process.exitCode = 1
  }
}
