import { explainHelp } from '../help.ts'
import { coloursFor, type Output } from '../output.ts'
import { findSections } from './find-sections.ts'
import { type Documentation, readDocumentation } from './pages.ts'
import { type Section, sectionsOf } from './sections.ts'

type Environment = Readonly<Record<string, string | undefined>>

const maxLines = 40
const maxOthers = 4

/**
 * Runs `upkeep explain`. Returns the exit code: 0 if a section was found, 1 if none was, 2 without anything to explain.
 */
export function runExplain(
  words: readonly string[],
  environment: Environment,
  output: Output,
  read: () => Documentation = readDocumentation,
): number {
  if (words.includes('--help') || words.includes('-h')) {
    output.write(explainHelp)
    return 0
  }
  const question = words.join(' ').trim()
  if (question === '') {
    output.writeError(`upkeep explain: expected an error message, an error code or an option\n\n${explainHelp}`)
    return 2
  }
  const [first, ...others] = findSections(sectionsOf(read().pages), question)
  if (first === undefined) {
    output.writeError('upkeep explain: no page has any of these words\n')
    return 1
  }
  const { bold, dim } = coloursFor(environment, output.isTerminal)
  output.write(`${bold(nameOf(first))}\n${dim(first.id)}\n\n${shorten(first)}\n`)
  const see = others.slice(0, maxOthers).map((other) => `  ${nameOf(other)}: ${other.id}\n`)
  if (see.length > 0) output.write(`\nSee also\n${see.join('')}`)
  return 0
}

const nameOf = ({ page, heading }: Section): string => (heading === page ? page : `${page}: ${heading}`)

function shorten({ text }: Section): string {
  const lines = text.split('\n')
  return lines.length <= maxLines ? text : `${lines.slice(0, maxLines).join('\n')}\n…`
}
