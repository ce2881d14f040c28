// Prints measures of the code base beside their limits, and fails if one is exceeded. Usage: npm run quality
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, resolve } from 'node:path'
import ts from 'typescript'
import { loadedFiles } from './entry-points.mjs'
import { findHiddenTypes, findUndocumented, readPublicApi } from './public-api.mjs'

const root = resolve(import.meta.dirname, '..')
const listed = execFileSync('git', ['ls-files', 'src', 'adapters', 'test'], { cwd: root, encoding: 'utf8' })
const files = listed
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    return { path, text, source, lines: text.replace(/\n$/, '').split('\n') }
  })
const library = files.filter(({ path }) => !path.startsWith('test/'))
const core = library.filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/entries/'))
const tests = files.filter(({ path }) => path.endsWith('.test.ts'))
const api = readPublicApi(root)
const hidden = findHiddenTypes(api)
const undocumented = findUndocumented(api)

const sizes = core.map(({ lines }) => lines.length).sort((a, b) => a - b)
const values = api.get('index').filter(({ isValue }) => isValue).length
const rows = []

atMost('entries of src/', readdirSync(join(root, 'src')).length, 23)
// Most files have 20 to 200 lines; one idea is not divided to have fewer.
atMost('median length of a source file, lines', sizes[Math.floor(sizes.length / 2)], 80)
atMost('source files over 250 lines', sizes.filter((size) => size > 250).length, 1)
atMost('share of source files over 200 lines, %', (100 * sizes.filter((size) => size > 200).length) / sizes.length, 3)
atMost('src/http/exchange.ts, lines', core.find(({ path }) => path === 'src/http/exchange.ts').lines.length, 60)
atMost('longest function of an adapter, lines of code', Math.max(...adapterFunctions()), 20)
atMost('values of upkeep', values, 40)
atMost('types of upkeep', api.get('index').length - values, 80)
atMost('types in public declarations that no entry point exports', hidden.length, 0, hidden)
atMost('public names without a doc comment', undocumented.length, 0, undocumented)
atMost('lines over 120 columns', longLines().length, 0, longLines())
atMost('any', count(library, isAny), 0)
atMost('casts through unknown or never', count(library, isDoubleCast), 0)
atMost('default exports', count(library, ts.isExportAssignment), 0)
atMost('suppressed type errors', grep(library, /@ts-(?:ignore|nocheck|expect-error)/), 0)
atMost('TODO and FIXME', grep(files, /\b(?:TODO|FIXME)\b/), 0)
atMost('exports that no other file imports', deadExports().length, 0, deadExports())
atMost('small files (under 25 lines) with one neighbour as their only user', fragments().length, 0, fragments())
atMost('file names that occur in several modules', sameNames().length, 0, sameNames())
atMost('test titles with "should"', grep(tests, /\b(?:it|test|describe)(?:\.\w+)*\(\s*['"`][^'"`]*\bshould\b/), 0)
atLeast('suites that several implementations run', sharedSuites().length, 3)
print('casts', count(library, ({ kind }) => kind === ts.SyntaxKind.AsExpression) - constAssertions())
print('comments, share of lines', `${((100 * commentLines()) / total(core)).toFixed(1)} %`)
print('source files / lines', `${core.length} / ${total(core)}`)
print('test files / lines', `${tests.length} / ${total(files.filter(({ path }) => path.startsWith('test/')))}`)

const width = Math.max(...rows.map(({ trait }) => trait.length))
for (const { trait, value, limit, isMet, details } of rows) {
  console.log(`${isMet ? 'ok  ' : 'FAIL'}  ${trait.padEnd(width)}  ${String(value).padStart(8)}  ${limit}`)
  if (!isMet) for (const detail of details) console.log(`        ${detail}`)
}
process.exit(rows.every(({ isMet }) => isMet) ? 0 : 1)

function atMost(trait, value, limit, details = []) {
  rows.push({ trait, value, limit: `at most ${limit}`, isMet: value <= limit, details })
}

function atLeast(trait, value, limit) {
  rows.push({ trait, value, limit: `at least ${limit}`, isMet: value >= limit, details: [] })
}

function print(trait, value) {
  rows.push({ trait, value, limit: '', isMet: true, details: [] })
}

function total(some) {
  return some.reduce((sum, { lines }) => sum + lines.length, 0)
}

function grep(some, pattern) {
  return some.reduce((sum, { lines }) => sum + lines.filter((line) => pattern.test(line)).length, 0)
}

function count(some, matches) {
  let found = 0
  const visit = (node) => {
    if (matches(node)) found += 1
    ts.forEachChild(node, visit)
  }
  for (const { source } of some) visit(source)
  return found
}

function isAny({ kind }) {
  return kind === ts.SyntaxKind.AnyKeyword
}

function isDoubleCast(node) {
  return ts.isAsExpression(node) && [ts.SyntaxKind.NeverKeyword, ts.SyntaxKind.UnknownKeyword].includes(node.type.kind)
}

function constAssertions() {
  return count(library, (node) => ts.isAsExpression(node) && node.type.getText() === 'const')
}

/** Returns the lines of code of each exported function of an adapter, without comments and empty lines. */
function adapterFunctions() {
  return library
    .filter(({ path }) => /^adapters\/[^/]+\.ts$/.test(path))
    .flatMap(({ source }) => source.statements.filter((node) => ts.isFunctionDeclaration(node) && isExported(node)))
    .map(
      (node) =>
        node
          .getText()
          .split('\n')
          .filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length,
    )
}

function longLines() {
  const all = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' })
  return all
    .split('\n')
    .filter((path) => path !== '' && !/^(?:api|test\/vectors)\//.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n')
      // A regular expression cannot be wrapped.
      const isLong = (line) => [...line].length > 120 && !/^ *(?:\/\S|String\.raw`new RegExp)/.test(line)
      return lines.flatMap((line, index) => (isLong(line) ? [`${path}:${index + 1}`] : []))
    })
}

function commentLines() {
  return core.reduce((sum, { text, source }) => {
    const covered = new Set()
    const visit = (node) => {
      const ranges = [
        ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
      ]
      for (const { pos, end } of ranges) {
        const last = source.getLineAndCharacterOfPosition(end).line
        for (let { line } = source.getLineAndCharacterOfPosition(pos); line <= last; line++) covered.add(line)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return sum + covered.size
  }, 0)
}

/** Yields what a file imports: the file, and the names. */
function* importsOf({ path, source }) {
  for (const node of source.statements) {
    const from = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier?.text : undefined
    if (!from?.startsWith('.')) continue
    const target = normalize(join(dirname(path), from))
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
    const isAll = bindings === undefined || ts.isNamespaceImport(bindings)
    const names = isAll ? ['*'] : bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
    yield { target, names }
  }
}

function usersByFile(some) {
  const users = new Map()
  for (const file of some) {
    for (const { target } of importsOf(file)) users.set(target, (users.get(target) ?? new Set()).add(file.path))
  }
  return users
}

function deadExports() {
  const used = new Set()
  for (const file of files) {
    for (const { target, names } of importsOf(file)) for (const name of names) used.add(`${target}#${name}`)
  }
  const dynamic = new Set(files.flatMap(({ path, text }) => dynamicImports(path, text)))
  return library
    .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/entries/') && !dynamic.has(path))
    .flatMap(({ path, source }) =>
      source.statements
        .filter(isExported)
        .flatMap(namesOf)
        .map((name) => `${path}#${name}`),
    )
    .filter((id) => !used.has(id) && !used.has(`${id.split('#')[0]}#*`))
}

function dynamicImports(path, text) {
  return [...text.matchAll(/import\('(\.[^']+)'\)/g)].map(([, name]) => normalize(join(dirname(path), name)))
}

function isExported(node) {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
}

function namesOf(node) {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText())
  return node.name ? [node.name.text] : []
}

function fragments() {
  const users = usersByFile(library)
  const isFragment = ({ path, lines }) => {
    const [user, ...others] = users.get(path) ?? []
    const isSmall = lines.length < 25 && !Object.values(loadedFiles).includes(path)
    return isSmall && others.length === 0 && user !== undefined && dirname(user) === dirname(path)
  }
  /** Whether the only user lists files of this kind: info contributors, tables of routes by framework. */
  const isListed = ({ path }) => {
    const [user] = users.get(path)
    const suffix = path.split('-').at(-1)
    return core.filter((each) => each.path.endsWith(`-${suffix}`) && users.get(each.path)?.has(user)).length > 1
  }
  return core
    .filter((file) => isFragment(file) && !isListed(file))
    .map(({ path, lines }) => `${path} (${lines.length})`)
}

function sameNames() {
  const modules = new Map()
  // These name their files after what they check or serve: `contract/rules/tracing`, `endpoints/loggers`.
  const namedAfterSubject = /^src\/(?:contract|cli|management\/endpoints|health\/indicators)\//
  for (const { path } of core.filter((file) => !namedAfterSubject.test(file.path))) {
    const name = basename(path)
    modules.set(name, [...(modules.get(name) ?? []), path])
  }
  return [...modules.values()]
    .filter((paths) => new Set(paths.map((path) => path.split('/')[1])).size > 1)
    .map((paths) => paths.join(', '))
}

/** The functions of test/ and of the contract that several test files call to define a suite. */
function sharedSuites() {
  const users = usersByFile(files.filter(({ path }) => path.startsWith('test/')))
  const isSuite = ({ text }) => /\b(?:describe|it)(?:\.\w+)*\(/.test(text)
  const shared = files.filter(
    (file) => !file.path.endsWith('.test.ts') && isSuite(file) && users.get(file.path)?.size > 1,
  )
  return [...shared.map(({ path }) => path), 'src/contract: contract()', 'src/contract: adapterConformance()']
}
