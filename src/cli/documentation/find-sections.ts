import MiniSearch from 'minisearch'
import type { Section } from './sections.ts'

/** Names count most where a section defines them: in its heading, and in the first column of its tables. */
const boost = { heading: 4, defined: 4, code: 2, text: 1 }

type Indexed = Pick<Section, 'id' | 'heading' | 'text'> & { readonly defined: string; readonly code: string }

/** Returns the sections that explain an error message, a code or an option, the best first. */
export function findSections(sections: readonly Section[], question: string): readonly Section[] {
  const search = new MiniSearch<Indexed>({
    fields: Object.keys(boost),
    tokenize: namesIn,
    searchOptions: { boost, combineWith: 'OR' },
  })
  // Its examples have the names of options, which other pages explain.
  const searched = /\bUPKEEP_E/.test(question)
    ? sections
    : sections.filter(({ id }) => !id.startsWith('docs/reference/errors.md'))
  search.addAll(
    searched.map(({ id, heading, text }) => ({ id, heading, text, defined: definedIn(text), code: codeIn(text) })),
  )
  const byId = new Map(sections.map((section) => [section.id, section]))
  return search.search(question).flatMap(({ id }) => byId.get(id) ?? [])
}

/** The first cells of tables that are code. */
function definedIn(text: string): string {
  return (text.match(/^\| `[^|\n]*/gm) ?? []).join(' ')
}

function codeIn(text: string): string {
  return (text.match(/`[^`\n]{1,100}`/g) ?? []).join(' ')
}

/** Returns the words of text; of the path of an option, such as `health.slowCheck`, its parts as well. */
function namesIn(text: string): string[] {
  return (text.match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*/gu) ?? []).flatMap((word) => {
    const name = word.replace(/[.-]+$/, '')
    return name.includes('.') ? [name, ...name.split('.')] : [name]
  })
}
