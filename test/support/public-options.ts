import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration

/** Returns the public interfaces whose name ends with `Options`, each with the names of its members. */
export function readPublicOptions(root: string): ReadonlyMap<string, readonly string[]> {
  const folder = join(root, 'api')
  const declarations = new Map<string, Declaration>()
  for (const file of readdirSync(folder)) {
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest)
    for (const statement of source.statements) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
        declarations.set(statement.name.text, statement)
      }
    }
  }
  const names = [...declarations.keys()].filter((name) => name.endsWith('Options'))
  return new Map(names.map((name) => [name, [...new Set(membersOf(name, declarations))]]))
}

function membersOf(name: string, declarations: ReadonlyMap<string, Declaration>): readonly string[] {
  const declaration = declarations.get(name)
  if (declaration === undefined) return []
  if (ts.isTypeAliasDeclaration(declaration)) return membersOfType(declaration.type, declarations)
  const inherited = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments }) =>
      membersOfReference(ts.isIdentifier(expression) ? expression.text : '', typeArguments, declarations),
    ),
  )
  return [...inherited, ...declaration.members.flatMap(({ name: own }) => (own && 'text' in own ? [own.text] : []))]
}

function membersOfType(type: ts.TypeNode, declarations: ReadonlyMap<string, Declaration>): readonly string[] {
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return []
  return membersOfReference(type.typeName.text, type.typeArguments, declarations)
}

/** Returns the members of an interface, or of `Omit`, `Pick` and `Partial` of one. */
function membersOfReference(
  name: string,
  [type, keys]: readonly ts.TypeNode[] = [],
  declarations: ReadonlyMap<string, Declaration>,
): readonly string[] {
  if (type === undefined || !['Omit', 'Pick', 'Partial'].includes(name)) return membersOf(name, declarations)
  const members = membersOfType(type, declarations)
  const chosen = keys === undefined ? [] : literalsOf(keys)
  if (name === 'Omit') return members.filter((member) => !chosen.includes(member))
  return name === 'Pick' ? chosen : members
}

function literalsOf(type: ts.TypeNode): readonly string[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(literalsOf)
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : []
}
