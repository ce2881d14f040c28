import type { Reporter } from '../reporter.ts'

/** Test Anything Protocol, version 14: the details of what did not hold as YAML. */
export function tapReporter(): Reporter {
  return {
    begin: (_, cases) => `TAP version 14\n1..${cases.length}\n`,
    tell({ one, outcome, milliseconds }, number) {
      const title = `${number} - ${one.title.replaceAll(/[\\#]/g, '\\$&')}`
      if (outcome.kind === 'held') return `ok ${title}\n`
      if (outcome.kind === 'skipped') return `ok ${title} # SKIP ${outcome.reason}\n`
      const { sent, came, wanted } = outcome.violation
      const details = { section: one.section, wanted, sent, came, duration_ms: Math.round(milliseconds) }
      // JSON is YAML, and needs no other rules for what has to be quoted.
      const lines = Object.entries(details).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`)
      return `not ok ${title}\n  ---\n${lines.join('')}  ...\n`
    },
    end: () => '',
  }
}
