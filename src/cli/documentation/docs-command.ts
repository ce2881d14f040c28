import { docsHelp } from '../help.ts'
import type { Output } from '../output.ts'
import { type Pages, readPages, titleOf } from './pages.ts'

/** Runs `upkeep docs`. Returns the exit code: 0, or 2 if there is no such page. */
export function runDocs(words: readonly string[], output: Output, pages: () => Pages = readPages): number {
  if (words.includes('--help') || words.includes('-h')) {
    output.write(docsHelp)
    return 0
  }
  const all = pages()
  const list = Object.entries(all).map(([name, markdown]) => `  ${name.padEnd(28)} ${titleOf(markdown)}\n`)
  const [name, another] = words
  if (name === undefined) {
    output.write(`upkeep docs <page> prints a page:\n\n${list.join('')}`)
    return 0
  }
  const page = another === undefined && Object.hasOwn(all, name) ? all[name] : undefined
  if (page === undefined) {
    output.writeError(`upkeep docs: expected one of these pages, received ${words.join(' ')}:\n\n${list.join('')}`)
    return 2
  }
  output.write(page)
  return 0
}
