// Files of the package that are loaded when a function in them is called for the first time. In CommonJS, which is what
// Node loads, the `require` of such a file is put where it is used; the ES modules, which bundlers read, import
// everything statically, so that a bundler sees what is used.
import { join, relative, resolve } from 'node:path'
import { filesOnUse } from '../files-on-use.mjs'

const root = resolve(import.meta.dirname, '../..')
const namespace = 'file-on-use'
/** The file of each module from which one is entered. */
const fileOf = new Map(Object.entries(filesOnUse).flatMap(([name, sources]) => sources.map((each) => [each, name])))

/** What esbuild compiles for each of the files: an entry that exports all of its modules. */
export const entriesOnUse = Object.fromEntries(Object.keys(filesOnUse).map((name) => [name, `${namespace}:${name}`]))

/**
 * Keeps modules out of the files that import them.
 *
 * @type {import('esbuild').Plugin}
 */
export const esbuildFilesOnUse = {
  name: namespace,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
      path: path.slice(namespace.length + 1),
      namespace,
    }))
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: filesOnUse[path].map((source) => `export * from './${source}'`).join('\n'),
      resolveDir: root,
    }))
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir, namespace: from, kind }) => {
      const name = from === namespace ? undefined : fileOf.get(relative(root, join(resolveDir, path)))
      if (name === undefined || kind !== 'import-statement') return undefined
      return { path: `./${name}.js`, external: true }
    })
  },
}

/**
 * Puts the `require` of a file into a function that is called where one of its exports is used. Where that is while the
 * importing file is loaded, the `require` stays.
 *
 * @type {import('rollup').Plugin}
 */
export const rollupFilesOnUse = {
  name: namespace,
  renderChunk(code) {
    const edits = []
    const program = this.parse(code)
    // Where nothing of a file is used, Rollup loads it for its effects: these files have none.
    for (const { type, expression, start, end } of program.body) {
      if (type === 'ExpressionStatement' && fileOfRequire(expression) !== undefined)
        edits.push({ start, end, text: '' })
    }
    for (const { variable, start, end } of requiredFiles(program)) {
      const uses = usesOf(program, variable)
      if (uses.some(({ isAtOnce }) => isAtOnce)) continue
      const loaded = `${variable}_`
      if (code.includes(loaded)) throw new Error(`expected no other name ${loaded}`)
      const text = code
        .slice(start, end)
        .replace(/^(?:const|var) \S+ = /, '')
        .replace(/;$/, '')
      edits.push({ start, end, text: `var ${loaded}; function ${variable}() { return ${loaded} ??= ${text}; }` })
      for (const { read, isConstructed, member } of uses) {
        edits.push({ start: read.end, end: read.end, text: '()' })
        // `new file().Name()` would be a call of the instance of `file`.
        if (!isConstructed) continue
        edits.push(
          { start: member.start, end: member.start, text: '(' },
          { start: member.end, end: member.end, text: ')' },
        )
      }
    }
    return { code: applyEdits(code, edits), map: null }
  },
}

/** Returns the statements that load one of the files. */
function requiredFiles({ body }) {
  return body.flatMap(({ type, start, end, declarations = [] }) => {
    const [{ id, init } = {}] = declarations
    return type === 'VariableDeclaration' && fileOfRequire(init) !== undefined
      ? [{ variable: id.name, start, end }]
      : []
  })
}

/** Returns the name of the file that an expression loads, if it is one of those. */
function fileOfRequire(expression) {
  if (expression?.type !== 'CallExpression' || expression.callee.name !== 'require') return undefined
  const name = /^\.\/(.+)\.cjs$/.exec(expression.arguments[0].value)?.[1]
  return name in filesOnUse ? name : undefined
}

/** Returns where a variable of the file is read: always a member of it. */
function usesOf(program, variable) {
  const uses = []
  visit(program, undefined, true)
  return uses

  function visit(node, parent, isAtOnce) {
    if (Array.isArray(node)) for (const each of node) visit(each, parent, isAtOnce)
    if (typeof node?.type !== 'string') return
    if (node.type === 'Identifier' && node.name === variable) addUse(node, parent, isAtOnce)
    const isFunction = /Function/.test(node.type)
    for (const [key, child] of Object.entries(node)) {
      if (typeof child === 'object') visit(child, { node, key, parent }, isAtOnce && !isFunction)
    }
  }

  function addUse(read, { node, key, parent }, isAtOnce) {
    if ((key === 'key' || key === 'property') && node.computed === false) return
    if (node.type === 'VariableDeclarator' && node.init?.callee?.name === 'require') return
    if (node.type !== 'MemberExpression' || key !== 'object') {
      throw new Error(`expected that only a file to load is named ${variable}, received a ${node.type} with that name`)
    }
    const isConstructed = parent.node.type === 'NewExpression' && parent.key === 'callee'
    uses.push({ read, member: node, isConstructed, isAtOnce })
  }
}

function applyEdits(code, edits) {
  let [text, at] = ['', 0]
  for (const { start, end, text: inserted } of edits.sort((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + inserted
    at = end
  }
  return text + code.slice(at)
}
