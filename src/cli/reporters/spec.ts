import type { Colours } from '../colours.ts'
import { countOf, type Reporter, type Told } from '../reporter.ts'

/** For a person: a line a case, and at the end what did not hold. */
export function specReporter({ red, green, yellow, dim, bold }: Colours): Reporter {
  let area = ''

  function line({ one, outcome }: Told): string {
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
    tell(told) {
      const heading = told.one.area === area ? '' : `\n${bold(told.one.area)}\n`
      area = told.one.area
      return `${heading}${line(told)}\n`
    },
    end(all) {
      const failed = all.flatMap(({ one, outcome }) => (outcome.kind === 'broken' ? [{ one, ...outcome }] : []))
      const parts = failed.map(({ one, violation: { sent, came, wanted } }, at) =>
        [
          `\n${red(`${at + 1}) ${one.id}`)}`,
          `   ${one.rule} ${dim(`(${one.section})`)}`,
          part('wanted', wanted),
          part('sent', sent),
          part('came', came),
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
    return `   ${bold(name.padEnd(7))} ${text.replaceAll('\n', `\n           `)}`
  }
}
