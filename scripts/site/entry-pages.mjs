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

const formatName = ({ name, commented }) => `### ${name}\n\n\`\`\`ts\n${commented}\n\`\`\``
