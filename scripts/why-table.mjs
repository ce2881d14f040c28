// Writes the table of planted incidents and the transcripts of agents into docs/guides/agents.md, from the last run of them:
// npm run build && npx vitest run --config test/lanes/machine.config.ts test/why && node scripts/why-table.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const page = resolve(root, 'docs/guides/agents.md')
const [maxLines, maxColumns] = [14, 130]

/** @type {readonly { name: string, title: string, isHealthy: boolean, place: number, texts: readonly string[] }[]} */
const rows = JSON.parse(readFileSync(resolve(root, 'build/why-incidents.json'), 'utf8'))
const incidents = rows.filter(({ isHealthy }) => !isHealthy)
const healthy = rows.filter(({ isHealthy }) => isHealthy)
const found = incidents.filter(({ place }) => place === 1 || place === 2)
const wrong = healthy.filter(({ texts }) => texts.length > 0)

const table = [
  `Found among the first two statements: ${found.length} of ${incidents.length}. ` +
    `Healthy runs with a false statement: ${wrong.length} of ${healthy.length}.`,
  '| incident | | place | first statement |\n|---|---|---|---|\n' +
    incidents
      .map(({ name, title, place, texts }) => row(name, title, place || 'not found', texts[0] ?? 'none'))
      .join('\n'),
  '| healthy run | | statements |\n|---|---|---|\n' +
    healthy.map(({ name, title, texts }) => row(name, title, texts.length)).join('\n'),
].join('\n\n')

/** @type {readonly { name: string, title: string, calls: readonly { tool: string, input: object, answer: string }[] }[]} */
const transcripts = JSON.parse(readFileSync(resolve(root, 'build/agent-transcripts.json'), 'utf8'))
const conversations = transcripts.map(({ name, title, calls }) => {
  const steps = calls.map(({ tool, input, answer }) => {
    const argument = Object.keys(input).length > 0 ? ` ${JSON.stringify(input)}` : ''
    return `> ${tool}${argument}\n\n${shorten(answer)}`
  })
  return `### ${name}: ${title}\n\n\`\`\`text\n${steps.join('\n\n')}\n\`\`\``
})

const text = readFileSync(page, 'utf8')
writeFileSync(page, replace('transcripts', replace('incidents', text, table), conversations.join('\n\n')))

/** Replaces what is between two comments. */
function replace(name, text, content) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  return `${text.slice(0, text.indexOf(begin) + begin.length)}\n${content}\n${text.slice(text.indexOf(end))}`
}

/** Returns the first lines of an answer, without the folders of the machine that it was made on. */
function shorten(answer) {
  const lines = answer
    .trim()
    .replaceAll(/(?:file:\/\/)?\/[^\s()]*\/(node_modules\/upkeep\/|(?=[\w-]+\.mjs))/g, '/app/$1')
    .replaceAll(/\n{2,}/g, '\n')
    .split('\n')
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > maxColumns ? `${line.slice(0, maxColumns)}…` : line))
  return [...shown, ...(lines.length > maxLines ? [`… ${lines.length - maxLines} more lines`] : [])].join('\n')
}

function row(name, ...cells) {
  return `| \`${name}\` | ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}
