import type { Reporter, TestCase } from 'vitest/node'

/** More than the disturbances of a busy machine explain. */
const maxRepeated = 10

/**
 * How often a failed test is repeated: tests of timeouts, processes and sockets share the two cores of a CI machine
 * with each other. Elsewhere a failure is a failure.
 */
export const repetitions: number = process.env['CI'] ? 2 : 0

/** Lists the tests that passed only when they were repeated, and fails the run if they are too many. */
export class RepeatedTests implements Reporter {
  readonly #repeated: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { flaky, retryCount } = test.diagnostic() ?? {}
    if (!flaky) return
    const errors = test.result().errors?.map(({ message }) => `    ${message.split('\n')[0]}`) ?? []
    this.#repeated.push([`  ${test.module.moduleId}: ${test.fullName}, ${retryCount} times`, ...errors].join('\n'))
  }

  onTestRunEnd(): void {
    if (this.#repeated.length === 0) return
    console.log(`\n${this.#repeated.length} tests passed only when repeated:\n${this.#repeated.join('\n')}`)
    if (this.#repeated.length <= maxRepeated) return
    console.log(`expected at most ${maxRepeated} of them`)
    process.exitCode = 1
  }
}
