// The prose of a TypeScript file: its comments, and its strings of three words or more.
import ts from 'typescript'

/**
 * Returns Markdown that has each comment and each message of a file as a paragraph, on the lines where they are.
 *
 * @param {string} text
 */
export function proseOf(text) {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n').map(() => '')
  for (const { start, content } of [...comments(file, text), ...messages(file)]) {
    const { line } = file.getLineAndCharacterOfPosition(start)
    content.split('\n').forEach((part, index) => {
      const before = lines[line + index] ?? ''
      lines[line + index] = before === '' ? part : `${before}. ${part}`
    })
  }
  return separate(lines).join('\n')
}

/** Lines of code are empty; a Markdown list or heading inside of a comment stays one. */
function separate(lines) {
  return lines
}

function* comments(file, text) {
  const seen = new Set()
  const ranges = []
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) ranges.push(range)
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) ranges.push(range)
    node.getChildren(file).forEach(visit)
  }
  visit(file)
  for (const { pos, end, kind } of ranges) {
    if (seen.has(pos)) continue
    seen.add(pos)
    const raw = text.slice(pos, end)
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      if (!/biome-ignore|^\/\/ @/.test(raw)) yield { start: pos, content: raw.slice(2).trim() }
      continue
    }
    const content = raw
      .replace(/^\/\*\*?/, '')
      .replace(/\*\/$/, '')
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .map((line) => line.replace(/\{@link ([^}]*)\}/g, '`$1`'))
      // Each tag is a paragraph of its own.
      .map((line) => (/^\s*@\w+/.test(line) ? `- ${line.trim().replace(/^@(\w+)/, '`@$1`')}` : line.trim()))
      .join('\n')
    yield { start: pos, content }
  }
}

function* messages(file) {
  const found = []
  const visit = (node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node, node.text)
    if (ts.isTemplateExpression(node)) {
      add(node, node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join(''))
    }
    ts.forEachChild(node, visit)
  }
  const add = (node, value) => {
    const isMessage = /[a-z]+ [a-z]+ [a-z]+/i.test(value) && !/\n/.test(value) && !/[<>{};=]/.test(value)
    if (isMessage) found.push({ start: node.getStart(file), content: value.replace(/^\s+|[#*_]/g, '') })
  }
  visit(file)
  yield* found
}
