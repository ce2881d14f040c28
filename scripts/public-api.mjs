// Reads the public API of each entry point from its source, and writes it to api/. Usage: node scripts/public-api.mjs
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { entryPoints, experimentalEntries } from './entry-points.mjs'

/**
 * @typedef {object} PublicName
 * @property {string} name
 * @property {boolean} isValue Whether it exists at run time.
 * @property {boolean} isDocumented Whether it has a doc comment.
 * @property {string} declaration Its declaration, without comments.
 * @property {string} commented Its declaration, with comments.
 * @property {readonly string[]} shown The types of this package that its declaration names, as `<file>#<name>`.
 * @property {string} id `<file>#<name>` of the declaration.
 */

/**
 * Reads what each entry point exports.
 *
 * @param {string} root
 * @returns {ReadonlyMap<string, readonly PublicName[]>} by the name of the entry point
 */
export function readPublicApi(root) {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(fileNames, {
    ...options,
    noEmit: false,
    emitDeclarationOnly: true,
    incremental: false,
    allowImportingTsExtensions: true,
  })
  const checker = program.getTypeChecker()
  const emitted = new Map()

  return new Map(
    entryPoints.map(({ name, source }) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(resolve(root, source)))
      const names = checker.getExportsOfModule(module).map((exported) => publicName(exported))
      return [name, names.sort((a, b) => (a.name < b.name ? -1 : 1))]
    }),
  )

  function publicName(exported) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    return {
      name: exported.name,
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
      isDocumented: symbol.getDocumentationComment(checker).length > 0,
      declaration: declarationOf(symbol, exported.name, ts.createPrinter({ removeComments: true })),
      commented: declarationOf(symbol, exported.name, ts.createPrinter()),
      shown: [...new Set(symbol.declarations.flatMap((declaration) => typesNamedBy(declaration)))],
      id: idOf(symbol),
    }
  }

  function idOf(symbol) {
    return `${relative(root, symbol.declarations[0].getSourceFile().fileName)}#${symbol.name}`
  }

  function typesNamedBy(declaration) {
    const found = []
    const visit = (node) => {
      if (ts.isBlock(node) || (ts.isPropertyDeclaration(node) && ts.isPrivateIdentifier(node.name))) return
      if (ts.isVariableDeclaration(node) && node.type !== undefined) return visit(node.type)
      const name = ts.isTypeReferenceNode(node)
        ? node.typeName
        : ts.isExpressionWithTypeArguments(node)
          ? node.expression
          : ts.isImportTypeNode(node)
            ? node.qualifier
            : undefined
      const symbol = name && checker.getSymbolAtLocation(name)
      const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const [first] = target?.declarations ?? []
      const isOurs = first && /^(src|adapters)\//.test(relative(root, first.getSourceFile().fileName))
      if (isOurs && !ts.isTypeParameterDeclaration(first)) found.push(idOf(target))
      ts.forEachChild(node, visit)
    }
    visit(declaration)
    return found
  }

  function declarationOf(symbol, name, printer) {
    const texts = symbol.declarations.map((declaration) => {
      const file = declarationFile(declaration.getSourceFile())
      const statements = file.statements.filter((statement) => declaredNames(statement).includes(symbol.name))
      return statements.map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, file)).join('\n')
    })
    const text = [...new Set(texts)].join('\n').replace(/^export declare /gm, 'export ')
    return name === symbol.name ? text : `${text}\nexport { ${symbol.name} as ${name} }`
  }

  function declarationFile(source) {
    if (!emitted.has(source)) {
      program.emit(
        source,
        (_, text) => emitted.set(source, ts.createSourceFile('a.d.ts', text, ts.ScriptTarget.Latest, true)),
        undefined,
        true,
      )
    }
    return emitted.get(source)
  }
}

function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText())
  return statement.name ? [statement.name.text] : []
}

/**
 * Returns the types of this package that the declaration of a public name mentions and that no entry point exports.
 *
 * @param {ReturnType<typeof readPublicApi>} api
 * @returns {readonly string[]} each as `<file>#<type>, in <entry point>: <name>`
 */
export function findHiddenTypes(api) {
  const exported = new Set([...api.values()].flat().map(({ id }) => id))
  return [...api].flatMap(([entry, names]) =>
    names.flatMap(({ name, shown }) =>
      shown.filter((id) => !exported.has(id)).map((id) => `${id}, in ${entry}: ${name}`),
    ),
  )
}

/**
 * Returns the public names without a doc comment.
 *
 * @param {ReturnType<typeof readPublicApi>} api
 * @returns {readonly string[]} each as `<file>#<name>`, once
 */
export function findUndocumented(api) {
  const undocumented = [...api.values()].flat().filter(({ isDocumented }) => !isDocumented)
  return [...new Set(undocumented.map(({ id }) => id))]
}

/**
 * Returns the report of an entry point: each name with its declaration, and whether it is stable. A member is marked
 * only if it is less stable than its type.
 *
 * @param {string} name
 * @param {readonly PublicName[]} names
 */
export function formatReport(name, names) {
  const specifier = name === 'index' ? 'upkeep' : `upkeep/${name}`
  const values = names.filter(({ isValue }) => isValue).length
  const counts = `${values} values, ${names.length - values} types`
  const head = `// ${specifier}: ${counts}. Written by \`npm run api\`; do not edit.\n`
  const isExperimental = experimentalEntries.includes(name)
  const formatted = names.map((each) => {
    const state = isExperimental || isMarked(each) ? 'experimental' : 'stable'
    return `/** @${state} */\n${state === 'stable' ? withMarkedMembers(each) : each.declaration}\n`
  })
  return [head, ...formatted].join('\n')
}

/** Whether the comment of a declaration itself, not that of a member, has `@experimental`. */
function isMarked({ commented }) {
  return /^\/\*\*(?:(?!\*\/)[\s\S])*@experimental/.test(commented)
}

/** Returns a declaration whose only comments are those of its experimental members, without their text. */
function withMarkedMembers({ declaration, commented }) {
  if (!commented.includes('@experimental')) return declaration
  return commented
    .replaceAll(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*/g, (comment) =>
      comment.includes('@experimental') ? '/** @experimental */ ' : '',
    )
    .replace(/^export declare /gm, 'export ')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(import.meta.dirname, '..')
  const folder = resolve(root, 'api')
  // surface.txt is written by surface/write.mjs.
  for (const file of readdirSync(folder)) if (file.endsWith('.ts')) rmSync(resolve(folder, file))
  for (const [name, names] of readPublicApi(root))
    writeFileSync(resolve(folder, `${name}.ts`), formatReport(name, names))
}
