import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * Returns the paths from the root, and the names of packages, that a file imports and that its imports import in turn.
 */
export function reachedFrom(
  file: string,
  root: string,
  imports: Map<string, readonly string[]> = new Map(),
): readonly string[] {
  const reached = new Set([file])
  for (const path of reached) {
    if (!/^(test|examples)\/.*\.ts$/.test(path)) continue
    let imported = imports.get(path)
    if (imported === undefined) {
      imported = importsOf(readFileSync(join(root, path), 'utf8')).map((name) =>
        name.startsWith('.') ? join(dirname(path), name) : name,
      )
      imports.set(path, imported)
    }
    for (const name of imported) reached.add(name)
  }
  return [...reached]
}

export function isEntryPoint(name: string): boolean {
  return /^upkeep(\/|$)/.test(name)
}

/** Returns the module names that remain at run time: `import type` and names marked `type` are erased. */
export function importsOf(code: string): readonly string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier) && !isErased(node.importClause)) {
      names.push(node.moduleSpecifier.text)
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      if (!node.isTypeOnly) names.push(node.moduleSpecifier.text)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [name] = node.arguments
      if (name !== undefined && ts.isStringLiteral(name)) names.push(name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('test.ts', code, ts.ScriptTarget.ESNext))
  return names
}

/**
 * Returns the values that remain at run time, as `<module> <name>`: those imported by name, and the members that are
 * read of a module imported as a whole.
 */
export function valuesImportedBy(code: string): readonly string[] {
  const values: string[] = []
  const modules = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier) && !isErased(node.importClause)) {
      const module = node.moduleSpecifier.text
      const bindings = node.importClause?.namedBindings
      if (bindings === undefined) return
      if (ts.isNamespaceImport(bindings)) modules.set(bindings.name.text, module)
      else
        for (const { propertyName, name, isTypeOnly } of bindings.elements)
          if (!isTypeOnly) values.push(`${module} ${(propertyName ?? name).text}`)
    } else if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const module = modules.get(node.expression.text)
      if (module !== undefined) values.push(`${module} ${node.name.text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('test.ts', code, ts.ScriptTarget.ESNext))
  return values
}

function isErased(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const { name, namedBindings } = clause
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false
  return namedBindings.elements.length > 0 && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
}
