import { docsHelp } from '../help.ts'
import type { Output } from '../output.ts'
import { findDocument } from './find-document.ts'
import { type Documentation, readDocumentation, titleOf } from './pages.ts'

/** Runs `upkeep docs`. Returns the exit code: 0, or 2 if there is no such page. */
export function runDocs(
  words: readonly string[],
  output: Output,
  read: () => Documentation = readDocumentation,
): number {
  if (words.includes('--help') || words.includes('-h')) {
    output.write(docsHelp)
    return 0
  }
  const documentation = read()
  const list = Object.entries(documentation.pages)
    .map(([name, markdown]) => `  ${name.padEnd(28)} ${titleOf(markdown)}\n`)
    .join('')
  const [name, another] = words
  if (name === undefined) {
    output.write(`upkeep docs <page> prints a page:\n\n${list}`)
    return 0
  }
  const page = another === undefined ? findDocument(documentation, name) : undefined
  if (page === undefined) {
    output.writeError(`upkeep docs: expected one of these pages, received ${words.join(' ')}:\n\n${list}`)
    return 2
  }
  output.write(page)
  return 0
}
