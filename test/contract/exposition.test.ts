import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { distributionFaults } from '../../src/contract/exposition/distributions.ts'
import { readPage } from '../../src/contract/exposition/page.ts'
import { type Dialect, readSample } from '../../src/contract/exposition/sample.ts'

const golden = resolve(import.meta.dirname, '../prometheus/golden')
const pages = readdirSync(golden).map((name) => {
  const text = readFileSync(resolve(golden, name), 'utf8')
  return [name, text.endsWith('# EOF\n') ? 'openmetrics' : 'text', text] as const
})

describe('parsePage', () => {
  it.each(pages)('finds no fault in the golden file %s', (_, dialect, text) => {
    const { families, faults } = readPage(text, dialect)
    expect(faults).toEqual([])
    expect([...families.values()].flatMap(distributionFaults)).toEqual([])
    expect(families.size).toBeGreaterThan(0)
  })

  it.each<readonly [Dialect, string, string]>([
    ['text', 'a 1\n', 'type'],
    ['text', '# TYPE a gauge\na 1', 'end'],
    ['text', '# TYPE a gauge\na{b="c"d"} 1\n', 'line'],
    ['text', '# TYPE a gauge\na{b="\\t"} 1\n', 'line'],
    ['text', '# TYPE a gauge\na{b="1",b="2"} 1\n', 'line'],
    ['text', '# TYPE a gauge\na{1b="1"} 1\n', 'line'],
    ['text', '# TYPE a gauge\na one\n', 'line'],
    ['text', '# TYPE a gauge\na  1\n', 'line'],
    ['text', '# TYPE a gauge\na{b="1",c="2"} 1\na{c="2",b="1"} 1\n', 'series'],
    ['text', '# TYPE a gauge\n# TYPE a gauge\na 1\n', 'type'],
    ['text', '# TYPE a gauge\na 1\n# HELP a late\n', 'type'],
    ['text', '# TYPE a gadget\na 1\n', 'type'],
    ['text', '# TYPE a gauge\na{b="1"} 1\n# TYPE c gauge\nc 1\na{b="2"} 1\n', 'group'],
    ['text', '# TYPE a gauge\na 1 # {trace_id="x"} 1\n', 'line'],
    ['openmetrics', '# TYPE a counter\na 1\n# EOF\n', 'type'],
    ['openmetrics', '# TYPE a gauge\na 1\n', 'end'],
    ['openmetrics', '# TYPE a gauge\n\na 1\n# EOF\n', 'line'],
    ['openmetrics', '# a comment\n# EOF\n', 'line'],
    ['openmetrics', '# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n', 'type'],
  ])('of %s finds a fault in %j (%s)', (dialect, text, kind) => {
    expect(readPage(text, dialect).faults.map((fault) => fault.kind)).toContain(kind)
  })

  it.each([
    [
      '# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
      /has a lower count than the previous one/,
    ],
    [
      '# TYPE a histogram\na_bucket{le="2"} 1\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
      /is not above/,
    ],
    ['# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n', /missing bucket \+Inf/],
    ['# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n', /_count is 2/],
    ['# TYPE a summary\na{quantile="1.5"} 1\na_sum 1\na_count 1\n', /not from 0 to 1/],
    ['# TYPE a summary\na_count 1\n', /_count without _sum/],
  ])('finds the unsound distribution in %j', (text, fault) => {
    const faults = [...readPage(text, 'text').families.values()].flatMap(distributionFaults)
    expect(faults.join()).toMatch(fault)
  })

  it('unescapes label values', () => {
    const sample = readSample('a{b="q\\"\\\\\\n"} +Inf 12', 'text')
    expect(sample).toMatchObject({ name: 'a', value: Number.POSITIVE_INFINITY, hasTimestamp: true })
    expect(sample?.labels.get('b')).toBe('q"\\\n')
  })
})
