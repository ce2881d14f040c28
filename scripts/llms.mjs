// Writes llms.txt (https://llmstxt.org): the pages of the documentation with what each is for, from docs/README.md.
// Usage: node scripts/llms.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const read = (path) => readFileSync(resolve(root, path), 'utf8')

/** Returns llms.txt. */
export function formatLlms() {
  const [, summary = ''] = read('README.md').split('\n\n')
  const rows = [...read('docs/README.md').matchAll(/^\| ([^|]+) \| \[[^\]]+\]\(([\w/-]+\.md)\) \|$/gm)]
  const pages = rows.map(([, purpose, page]) => `- [${titleOf(page)}](docs/${page}): ${purpose}`)
  return `# upkeep

> ${summary.replaceAll('\n', ' ')}

In an installed package, \`npx upkeep docs\` lists these pages, \`npx upkeep docs health\` prints one, and
\`npx upkeep explain <text>\` prints the section about an error message, an error code or an option.
The types of options are in \`dist/*.d.cts\`.

## Documentation

${pages.join('\n')}
`
}

const titleOf = (page) => read(`docs/${page}`).split('\n', 1)[0].slice('# '.length)

if (process.argv[1] === import.meta.filename) writeFileSync(resolve(root, 'llms.txt'), formatLlms())
