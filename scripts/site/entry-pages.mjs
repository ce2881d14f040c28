// A page for each entry point: what it exports, with the doc comments of the sources.
import { entryPoints } from '../entry-points.mjs'
import { readPublicApi } from '../public-api.mjs'

/** The pages of the sidebar, by what a user imports. */
export const entryPages = entryPoints.map(({ specifier, name }) => ({ title: specifier, name: `entry-points/${name}` }))

/**
 * Returns the Markdown of each page of `entryPages`, by its name.
 *
 * @param {string} root
 */
export function readEntryPages(root) {
  const api = readPublicApi(root)
  return new Map(entryPoints.map((entry) => [`entry-points/${entry.name}`, formatEntry(entry, api.get(entry.name))]))
}

function formatEntry({ specifier }, names) {
  const [values, types] = [names.filter(({ isValue }) => isValue), names.filter(({ isValue }) => !isValue)]
  const parts = [`# ${specifier}`]
  if (values.length > 0) parts.push('## Functions and values', ...values.map(formatName))
  if (types.length > 0) parts.push('## Types', ...types.map(formatName))
  return `${parts.join('\n\n')}\n`
}

/** Returns the section of a name: what its comment states, as text, and its declaration with the comments of members. */
function formatName({ name, commented }) {
  const [, comment, declaration = commented] = /^\/\*\*(.*?)\*\/\s*(.*)$/s.exec(commented) ?? []
  const text = comment === undefined ? [] : [formatComment(comment)]
  return [`### ${name}`, ...text, `\`\`\`ts\n${declaration}\n\`\`\``].join('\n\n')
}

/** Returns a comment as Markdown: its text, and a list of its tags. */
function formatComment(comment) {
  const text = comment.replaceAll(/^[ \t]*\*[ \t]?/gm, '').replaceAll(/\{@link ([^}]*)\}/g, '`$1`')
  const [description = '', ...tags] = text.split(/(?:^|\s)@(?=(?:throws|param|returns|default|deprecated|see) )/)
  const items = tags.map((tag) => tag.trim().replace(/^\w+/, '- *$&*'))
  return items.length === 0 ? description.trim() : `${description.trim()}\n\n${items.join('\n')}`
}
