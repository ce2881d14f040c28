import ts from 'typescript'

/** The part of a source file that the rules inspect. */
export interface Source {
  /** From the repository's root, with slashes, such as `src/http/router.ts`. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** Lines of `export { a }` where `a` came in by an import: a re-export in two steps. */
  readonly passedOn: readonly number[]
  /** Lines of the top-level statements that are neither an import nor an `export … from`. */
  readonly statements: readonly number[]
}

export interface Import {
  readonly line: number
  /** What is imported as it is written, or `undefined` when it is computed. */
  readonly specifier: string | undefined
  /** `type` when nothing of it is left at run time: `import type`, `export type`, or `import('…')` in a type. */
  readonly kind: 'code' | 'type'
  readonly form: 'import' | 're-export' | 'star' | 'dynamic' | 'require'
}

export function readSource(path: string, text: string): Source {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const imported = new Set(file.statements.filter(ts.isImportDeclaration).flatMap(importedNames))
  return {
    path,
    lines: text.replace(/\n$/, '').split('\n').length,
    imports: importsOf(file),
    passedOn: file.statements.filter((statement) => passesOn(statement, imported)).map(lineOf),
    statements: file.statements
      .filter((statement) => !ts.isImportDeclaration(statement) && !isReExport(statement))
      .map(lineOf),
  }
}

function importsOf(file: ts.SourceFile): readonly Import[] {
  const found: Import[] = []
  const visit = (node: ts.Node): void => {
    const one = importOf(node)
    if (one) found.push({ line: lineOf(node), ...one })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function importOf(node: ts.Node): Omit<Import, 'line'> | undefined {
  if (ts.isImportDeclaration(node)) {
    const kind = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type' : 'code'
    return { specifier: literal(node.moduleSpecifier), kind, form: 'import' }
  }
  if (isReExport(node)) {
    const form = node.exportClause && ts.isNamedExports(node.exportClause) ? 're-export' : 'star'
    return { specifier: literal(node.moduleSpecifier), kind: node.isTypeOnly ? 'type' : 'code', form }
  }
  if (ts.isImportTypeNode(node)) {
    const argument = ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
    return { specifier: literal(argument), kind: 'type', form: 'import' }
  }
  if (ts.isExternalModuleReference(node)) {
    return { specifier: literal(node.expression), kind: 'code', form: 'require' }
  }
  if (ts.isCallExpression(node)) {
    const form = callForm(node.expression)
    return form && { specifier: literal(node.arguments[0]), kind: 'code', form }
  }
  return undefined
}

function callForm(callee: ts.Expression): 'dynamic' | 'require' | undefined {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return 'dynamic'
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'getBuiltinModule') return 'dynamic'
  return ts.isIdentifier(callee) && callee.text === 'require' ? 'require' : undefined
}

function isReExport(node: ts.Node): node is ts.ExportDeclaration {
  return ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined
}

function passesOn(statement: ts.Statement, imported: ReadonlySet<string>): boolean {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier) return false
  const names =
    statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : []
  return names.some(({ propertyName, name }) => imported.has((propertyName ?? name).text))
}

function importedNames({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings
  const names = bindings === undefined ? [] : ts.isNamedImports(bindings) ? bindings.elements : [bindings]
  return [...names.map(({ name }) => name.text), ...(importClause?.name ? [importClause.name.text] : [])]
}

function literal(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined
}

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1
}
