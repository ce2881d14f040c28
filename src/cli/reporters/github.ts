import type { Colours } from '../colours.ts'
import type { Reporter } from '../reporter.ts'
import { specReporter } from './spec.ts'

/**
 * Reports like `spec`, then one annotation per broken case, which GitHub Actions shows in the summary of the run. What
 * a service has sent is not taken for commands: they are stopped while it is reported.
 */
export function githubReporter(colours: Colours): Reporter {
  const spec = specReporter(colours)
  const token = crypto.randomUUID()
  return {
    ...spec,
    begin: (url, cases) => `::stop-commands::${token}\n${spec.begin(url, cases)}`,
    end(all) {
      const annotations = all.flatMap(({ one: { id, rule }, outcome }) => {
        if (outcome.kind !== 'broken') return []
        const { expected, sent, received } = outcome.violation
        const text = `${rule}\nexpected ${expected}\nsent ${sent}\nreceived ${received}`
        return [`::error title=${escapeProperty(`upkeep contract: ${id}`)}::${escapeText(text)}\n`]
      })
      return `${spec.end(all)}::${token}::\n${annotations.join('')}`
    },
  }
}

/** A command of GitHub Actions is one line. */
function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
