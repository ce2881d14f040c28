import type { SerializedError } from 'vitest'
import { DefaultReporter, type TestCase, type TestModule } from 'vitest/node'

/**
 * Prints failed tests once, at the end, each with its file and line, then why tests were skipped, and the counts. While
 * the tests run, a terminal shows the progress; elsewhere nothing is printed for what passes.
 */
export class SummaryReporter extends DefaultReporter {
  /** Does not print a line for each file. */
  protected override printTestModule(_module: TestModule): void {}

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: Parameters<DefaultReporter['onTestRunEnd']>[2],
  ): void {
    super.onTestRunEnd(modules, unhandled, reason)
    for (const [why, count] of countSkipped(modules)) this.log(`SKIPPED ${count}: ${why}`)
  }
}

/** Returns how many tests were skipped for each reason, in alphabetical order. */
function countSkipped(modules: readonly TestModule[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      const why = whySkipped(test) ?? `no reason given by ${module.relativeModuleId}`
      counts.set(why, (counts.get(why) ?? 0) + 1)
    }
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b))
}

/** Returns the note of a skipped test, or what its name or its suite's states in parentheses; see `describeWith`. */
function whySkipped(test: TestCase): string | undefined {
  const { note } = test.result() as { readonly note?: string }
  if (note !== undefined) return note
  const names = [test.name]
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) names.push(parent.name)
  return names.map((name) => /\((.+)\)$/.exec(name)?.[1]).find((reason) => reason !== undefined)
}
