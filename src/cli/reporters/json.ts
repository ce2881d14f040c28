import { countOf, type Reporter } from '../reporter.ts'

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
