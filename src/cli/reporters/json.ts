import { countOf, type Reporter } from '../reporter.ts'

/** One JSON object with all that is known, for a program. */
export function jsonReporter(): Reporter {
  let asked = ''
  return {
    begin(url) {
      asked = url
      return ''
    },
    tell: () => '',
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
