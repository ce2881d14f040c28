import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import type { MeterSnapshot } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { openMetricsTextWithCreated, prometheusText } from '../../src/prometheus/exposition/text-format.ts'
import { describeProgram } from '../support/describe-program.ts'
import { describeWith, missingProgram } from '../support/describe-with.ts'
import { arbitrarySeries } from './arbitrary-series.ts'
import { expectedSamples } from './expected-samples.ts'
import { goldenSeries } from './golden-series.ts'
import { findParser, type Page, type ParsedFamily, parsePages, parserPackage } from './independent-parser.ts'
import { renderAtOnce } from './render.ts'

const formats = { prometheus: prometheusText, openmetrics: openMetricsTextWithCreated }
const formatNames = ['prometheus', 'openmetrics'] as const

const generated = 10_000

const parser = "Prometheus' Python client"
describeWith(parser, missingProgram(parser, findParser(), `apt-get install ${parserPackage}`), () => {
  it('accepts every golden text and reads the same series and values', async () => {
    const cases = Object.entries(goldenSeries).flatMap(([name, series]) =>
      formatNames.map((format) => ({ name, series, format })),
    )
    const pages = await Promise.all(
      cases.map(async ({ name, format }): Promise<Page> => {
        return [format, await readFile(new URL(`golden/${name}.${format}.txt`, import.meta.url), 'utf8')]
      }),
    )
    const parsed = await parsePages(pages)
    for (const [index, { series, format }] of cases.entries()) {
      const { conflicts } = renderPage(series, format)
      expect(samplesOf(parsed[index])).toEqual(expectedSamples(series, format, conflicts))
    }
    expect(parsed).toHaveLength(cases.length)
  })

  it(`accepts ${generated} generated registries and reads the same series and values`, async () => {
    const seed = Date.now() % 2 ** 31
    const cases = fc
      .sample(arbitrarySeries, { numRuns: generated, seed })
      .flatMap((series) => formatNames.map((format) => ({ series, format, ...renderPage(series, format) })))
    const parsed = await parsePages(cases.map(({ format, text }): Page => [format, text]))
    expect(parsed).toHaveLength(2 * generated)
    for (const [index, { series, format, text, conflicts }] of cases.entries()) {
      const message = `seed ${seed}\n${JSON.stringify(series)}\n${text}`
      expect(samplesOf(parsed[index]), message).toEqual(expectedSamples(series, format, conflicts))
    }
  }, 600_000)
})

describeProgram({ program: 'promtool', debian: 'prometheus' }, (promtool) => {
  it.each(Object.keys(goldenSeries))('reports no problem with the golden file of the %s series', async (name) => {
    const input = await readFile(new URL(`golden/${name}.prometheus.txt`, import.meta.url))
    const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input })
    expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' })
  })
})

function renderPage(series: readonly MeterSnapshot[], format: 'prometheus' | 'openmetrics') {
  const { bytes, conflicts } = renderAtOnce(series, formats[format])
  return { text: bytes.toString(), conflicts }
}

/** All samples, distinguished by name and labels; fails when two have the same. */
function samplesOf(parsed: readonly ParsedFamily[] | Error | undefined): ReadonlyMap<string, unknown> {
  if (parsed === undefined || parsed instanceof Error) throw parsed ?? new Error('The parser did not answer.')
  const samples = new Map<string, unknown>()
  for (const family of parsed) {
    for (const { name, labels, value, exemplar } of family.samples) {
      const key = JSON.stringify([name, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])
      if (samples.has(key)) throw new Error(`There are two of ${key}.`)
      samples.set(key, exemplar ? { value, exemplar } : { value })
    }
  }
  return samples
}
