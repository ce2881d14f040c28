// Checks the English of the documentation, of doc comments and of messages with textlint. Usage: npm run prose [files
// …]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { TextlintKernel } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import { proseOf } from './source-prose.mjs'
import { avoided, maxWords } from './words.mjs'

const root = resolve(import.meta.dirname, '../..')
const checked = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs', 'src', 'adapters', 'examples']
const asked = process.argv.slice(2)
const files = execFileSync('git', ['ls-files', ...(asked.length > 0 ? asked : checked)], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path.endsWith('.md') || path.endsWith('.ts'))

/** Reports each word of the list; words in code are not part of the text. */
const words = ({ Syntax, RuleError, report, locator, getSource }) => ({
  [Syntax.Str](node) {
    const text = getSource(node)
    for (const [pattern, instead] of avoided) {
      for (const found of text.matchAll(new RegExp(pattern, 'gi'))) {
        const padding = locator.range([found.index, found.index + found[0].length])
        report(node, new RuleError(`"${found[0]}": write ${instead}`, { padding }))
      }
    }
  },
})

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Reports each sentence that is too long. A code span counts as one word. */
const sentences = ({ Syntax, RuleError, report, locator }) => ({
  [Syntax.Paragraph](node) {
    const text = textOf(node).replace(/\s+/g, ' ')
    for (const { segment } of segmenter.segment(text)) {
      const count = segment.split(/[\s—]+/).filter((word) => /[\p{L}\d]/u.test(word)).length
      if (count > maxWords) {
        const message = `${count} words in a sentence; the limit is ${maxWords}: "${segment.slice(0, 50).trim()}…"`
        report(node, new RuleError(message, { padding: locator.at(0) }))
      }
    }
  },
})

function textOf(node) {
  // With a capital, since a sentence may begin with it.
  if (node.type === 'Code') return 'Code'
  if (node.type === 'Str') return node.value
  if (node.type === 'Break') return ' '
  return (node.children ?? []).map(textOf).join('')
}

const kernel = new TextlintKernel()
let count = 0
for (const path of files) {
  const text = readFileSync(resolve(root, path), 'utf8')
  const { messages } = await kernel.lintText(extname(path) === '.ts' ? proseOf(text) : text, {
    ext: '.md',
    filePath: path,
    plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
    rules: [
      { ruleId: 'words', rule: words },
      { ruleId: 'sentences', rule: sentences },
    ],
  })
  for (const { loc, message } of messages) console.log(`${path}:${loc.start.line}:${loc.start.column} ${message}`)
  count += messages.length
}
console.log(`${files.length} files, ${count} findings`)
process.exit(count === 0 ? 0 : 1)
