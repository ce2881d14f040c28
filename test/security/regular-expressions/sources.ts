import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '../../..')

/** A regular expression of the sources. */
export interface FoundExpression {
  /** From the root of the project, with slashes. */
  readonly file: string
  readonly line: number
  /** As the source has it: `/[?#]/`, or `new RegExp(…)`. */
  readonly text: string
}

/** Returns every regular expression in `src/` and `adapters/`, as TypeScript's parser sees it. */
export function findExpressions(): readonly FoundExpression[] {
  return ['src', 'adapters'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
      .flatMap((name) => expressionsIn(join(root, folder, name))),
  )
}

function expressionsIn(path: string): readonly FoundExpression[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const file = relative(root, path).split(sep).join('/')
  const found: FoundExpression[] = []
  const visit = (node: ts.Node): void => {
    const isComposed =
      (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(source) === 'RegExp'
    if (isComposed || ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      found.push({ file, line: line + 1, text: node.getText(source) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
