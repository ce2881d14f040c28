import { type CaseResult, countOf, type Reporter } from '../reporter.ts'

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
      const testSuites = `<testsuites${counts('upkeep contract', all)}>\n${suites.join('')}</testsuites>\n`
      return `<?xml version="1.0" encoding="UTF-8"?>\n${testSuites}`
    },
  }
}

function suite(area: string, results: readonly CaseResult[]): string {
  return `  <testsuite${counts(area, results)}>\n${results.map(testCase).join('')}  </testsuite>\n`
}

function counts(name: string, results: readonly CaseResult[]): string {
  return attributes({
    name,
    tests: String(results.length),
    failures: String(countOf(results, 'broken')),
    skipped: String(countOf(results, 'skipped')),
    time: seconds(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  })
}

function testCase({ one, outcome, milliseconds }: CaseResult): string {
  const { area, title, section } = one
  const head = `    <testcase${attributes({ classname: `contract.${area}`, name: title, time: seconds(milliseconds) })}`
  if (outcome.kind === 'held') return `${head}/>\n`
  if (outcome.kind === 'skipped')
    return `${head}>\n      <skipped${attributes({ message: outcome.reason })}/>\n    </testcase>\n`
  const { sent, received, expected } = outcome.violation
  const text = escapeXml(`${section}\n\nexpected\n${expected}\n\nsent\n${sent}\n\nreceived\n${received}`)
  const message = attributes({ message: `expected ${expected}` })
  return `${head}>\n      <failure${message}>${text}</failure>\n    </testcase>\n`
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
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\r', '&#13;')
  )
}

/** Reports one JSON object, for programs. */
export function jsonReporter(): Reporter {
  let asked = ''
  return {
    begin(url) {
      asked = url
      return ''
    },
    report: () => '',
    end(all) {
      const cases = all.map(({ one: { id, area, level, rule, section }, outcome, milliseconds }) => ({
        id,
        area,
        level,
        rule,
        section,
        milliseconds: Math.round(milliseconds * 1_000) / 1_000,
        ...outcome,
      }))
      const counts = { held: countOf(all, 'held'), broken: countOf(all, 'broken'), skipped: countOf(all, 'skipped') }
      return `${JSON.stringify({ url: asked, ...counts, cases }, undefined, 2)}\n`
    },
  }
}
