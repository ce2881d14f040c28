import type { Colours } from '../output.ts'
import { type CaseResult, countOf, type Reporter } from '../reporter.ts'

/** Reports for a person: one line per case, then the broken ones. */
export function specReporter({ red, green, yellow, dim, bold }: Colours): Reporter {
  let area = ''

  function line({ one, outcome }: CaseResult): string {
    switch (outcome.kind) {
      case 'held':
        return `  ${green('✓')} ${one.title}`
      case 'skipped':
        return `  ${yellow('-')} ${dim(`${one.title} (skipped: ${outcome.reason})`)}`
      case 'broken':
        return `  ${red('✗')} ${red(one.title)}`
    }
  }

  return {
    begin: (url, cases) => `${cases.length} cases for ${url}\n`,
    report(told) {
      const heading = told.one.area === area ? '' : `\n${bold(told.one.area)}\n`
      area = told.one.area
      return `${heading}${line(told)}\n`
    },
    end(all) {
      const failed = all.flatMap(({ one, outcome }) => (outcome.kind === 'broken' ? [{ one, ...outcome }] : []))
      const parts = failed.map(({ one, violation: { sent, received, expected } }, at) =>
        [
          `\n${red(`${at + 1}) ${one.id}`)}`,
          `   ${one.rule} ${dim(`(${one.section})`)}`,
          part('expected', expected),
          part('sent', sent),
          part('received', received),
        ].join('\n'),
      )
      const counts = [
        green(`${countOf(all, 'held')} held`),
        countOf(all, 'broken') === 0 ? '0 broken' : red(`${countOf(all, 'broken')} broken`),
        yellow(`${countOf(all, 'skipped')} skipped`),
      ]
      return `${parts.join('\n')}${parts.length > 0 ? '\n' : ''}\n${counts.join(', ')}\n`
    },
  }

  function part(name: string, text: string): string {
    return `   ${bold(name.padEnd(8))} ${text.replaceAll('\n', `\n            `)}`
  }
}

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
