import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Reads the code block of a page in docs/ whose first line is a comment with this title, such as a file name; without
 * that line. `page.md#Heading` reads it below that heading of the second level.
 */
export function readDocumented(page: string, name: string): string {
  const [path = '', heading] = page.split('#')
  const all = readFileSync(resolve(import.meta.dirname, '../../docs', path), 'utf8')
  const text = heading === undefined ? all : (all.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '')
  const block = [...text.matchAll(/^```\w+\n(?:#|\/\/) ([^\n]+)\n(.*?)^```$/gms)].find(([, title]) => title === name)
  if (block?.[2] === undefined) throw new Error(`docs/${page} has no block ${name}`)
  return block[2]
}

/** Replaces each key with its value. Throws when a key does not occur. */
export function adapt(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((adapted, [from, to]) => {
    if (!adapted.includes(from)) throw new Error(`found no ${JSON.stringify(from)} to replace`)
    return adapted.replaceAll(from, to)
  }, text)
}
