import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(resolve(root, 'docs/concepts/architecture.md'), 'utf8')
const [, table = ''] = /^## Where is …\?\n([\s\S]*?)^## /m.exec(page) ?? []
const rows = [...table.matchAll(/^\| ([^|]+) \| `([^`#]+)#([^`]+)` \|$/gm)].map(([, question, file, symbol]) => ({
  question,
  file: file ?? '',
  symbol: symbol ?? '',
}))

/** Returns the names that a file declares at its top level, and those of their members as `Name.member`. */
function declaredIn(file: string): ReadonlySet<string> {
  const source = ts.createSourceFile(file, readFileSync(resolve(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  return new Set(source.statements.flatMap(declaredBy))
}

function declaredBy(node: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText())
  if (ts.isFunctionDeclaration(node) || ts.isTypeAliasDeclaration(node)) return [node.name?.text ?? '']
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return []
  const name = node.name?.text ?? ''
  return [name, ...node.members.map((member) => `${name}.${member.name?.getText() ?? ''}`)]
}

describe('docs/concepts/architecture.md', () => {
  it('starts with a table of twenty questions or more', () => {
    expect(rows.length).toBeGreaterThanOrEqual(20)
    expect(page.indexOf('## Where is …?')).toBe(page.indexOf('\n## ') + 1)
  })

  it.each(rows)('names the place where is answered: $question', ({ file, symbol }) => {
    expect(existsSync(resolve(root, file)), file).toBe(true)
    expect([...declaredIn(file)]).toContain(symbol)
  })
})
