import { countOf, type Reporter, type Told } from '../reporter.ts'

/** JUnit's XML, as pipelines read it: a suite for each area. */
export function junitReporter(): Reporter {
  return {
    begin: () => '',
    tell: () => '',
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

function suite(area: string, told: readonly Told[]): string {
  return `  <testsuite${counts(area, told)}>\n${told.map(testCase).join('')}  </testsuite>\n`
}

function counts(name: string, told: readonly Told[]): string {
  return attributes({
    name,
    tests: String(told.length),
    failures: String(countOf(told, 'broken')),
    skipped: String(countOf(told, 'skipped')),
    time: seconds(told.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  })
}

function testCase({ one, outcome, milliseconds }: Told): string {
  const head = `    <testcase${attributes({ classname: `contract.${one.area}`, name: one.title, time: seconds(milliseconds) })}`
  if (outcome.kind === 'held') return `${head}/>\n`
  if (outcome.kind === 'skipped')
    return `${head}>\n      <skipped${attributes({ message: outcome.reason })}/>\n    </testcase>\n`
  const { sent, came, wanted } = outcome.violation
  const text = escapeXml(`${one.section}\n\nwanted\n${wanted}\n\nsent\n${sent}\n\ncame\n${came}`)
  return `${head}>\n      <failure${attributes({ message: `wanted ${wanted}` })}>${text}</failure>\n    </testcase>\n`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3)
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('\n', '&#10;')}"`)
    .join('')
}

/** Of control characters, XML 1.0 can hold but three, escaped or not. */
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
