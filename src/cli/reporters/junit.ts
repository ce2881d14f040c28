import { type CaseResult, countOf, type Reporter } from '../reporter.ts'

/** Reports JUnit XML, for CI servers: a test suite per area. */
export function junitReporter(): Reporter {
  return {
    begin: () => '',
    report: () => '',
    end(all) {
      const areas = [...new Set(all.map(({ one }) => one.area))]
      const suites = areas.map((area) =>
        suite(
          area,
          all.filter(({ one }) => one.area === area),
        ),
      )
      return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts('upkeep contract', all)}>\n${suites.join('')}</testsuites>\n`
    },
  }
}

function suite(area: string, told: readonly CaseResult[]): string {
  return `  <testsuite${counts(area, told)}>\n${told.map(testCase).join('')}  </testsuite>\n`
}

function counts(name: string, told: readonly CaseResult[]): string {
  return attributes({
    name,
    tests: String(told.length),
    failures: String(countOf(told, 'broken')),
    skipped: String(countOf(told, 'skipped')),
    time: seconds(told.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  })
}

function testCase({ one, outcome, milliseconds }: CaseResult): string {
  const head = `    <testcase${attributes({ classname: `contract.${one.area}`, name: one.title, time: seconds(milliseconds) })}`
  if (outcome.kind === 'held') return `${head}/>\n`
  if (outcome.kind === 'skipped')
    return `${head}>\n      <skipped${attributes({ message: outcome.reason })}/>\n    </testcase>\n`
  const { sent, received, expected } = outcome.violation
  const text = escapeXml(`${one.section}\n\nexpected\n${expected}\n\nsent\n${sent}\n\nreceived\n${received}`)
  return `${head}>\n      <failure${attributes({ message: `expected ${expected}` })}>${text}</failure>\n    </testcase>\n`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3)
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('\n', '&#10;')}"`)
    .join('')
}

/** XML 1.0 allows only three control characters, escaped or not. */
function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\r', '&#13;')
  )
}
