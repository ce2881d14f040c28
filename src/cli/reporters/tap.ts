import type { Reporter } from '../reporter.ts'

/** Reports the Test Anything Protocol, version 14, with YAML details of broken cases. */
export function tapReporter(): Reporter {
  return {
    begin: (_, cases) => `TAP version 14\n1..${cases.length}\n`,
    report({ one, outcome, milliseconds }, number) {
      const title = `${number} - ${one.title.replaceAll(/[\\#]/g, '\\$&')}`
      if (outcome.kind === 'held') return `ok ${title}\n`
      if (outcome.kind === 'skipped') return `ok ${title} # SKIP ${outcome.reason}\n`
      const { sent, received, expected } = outcome.violation
      const details = { section: one.section, expected, sent, received, duration_ms: Math.round(milliseconds) }
      // JSON is valid YAML and needs no other quoting.
      const lines = Object.entries(details).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`)
      return `not ok ${title}\n  ---\n${lines.join('')}  ...\n`
    },
    end: () => '',
  }
}
