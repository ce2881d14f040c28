// Proves that the tests run what ships: replaces each public value of each entry point in the installed package, one at
// a time and in each format, by a function that throws, and runs the tests of that format which load the entry point
// until one fails. Ends with 1 and names the values for which none fails. Usage, after `npm run build`:
// node scripts/proof.mjs [entry point, such as upkeep/node …]
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { createVitest } from 'vitest/node'
import { entryPoints } from './entry-points.mjs'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'build/node_modules/upkeep/dist')
const require = createRequire(import.meta.url)
const asked = process.argv.slice(2)
const chosen = entryPoints.filter(({ specifier }) => asked.length === 0 || asked.includes(specifier))
const formats = [
  { project: 'node', extension: 'mjs' },
  { project: 'bundled', extension: 'js' },
]

const survivors = []
let replaced = 0
for (const { project, extension } of formats) {
  // A test that waits for what never comes has failed after ten seconds.
  const config = join(root, 'test/lanes/deterministic.config.ts')
  const options = { config, project: [project], watch: false, bail: 1, reporters: [{}], testTimeout: 10_000, retry: 0 }
  const vitest = await createVitest('test', options)
  try {
    const tests = (await vitest.globTestSpecifications()).map((specification) => ({
      specification,
      text: textOf(specification.moduleId),
    }))
    for (const entry of chosen) await prove(vitest, tests, entry, project, extension)
  } finally {
    await vitest.close()
  }
}
for (const name of survivors) console.log(`SURVIVED ${name}`)
console.log(`${replaced} values replaced, ${survivors.length} survivors`)
process.exit(survivors.length === 0 ? 0 : 1)

async function prove(vitest, tests, { specifier, name }, project, extension) {
  const loading = tests.filter(({ text }) => text.includes(`'${specifier}'`))
  const file = join(dist, `${name}.${extension}`)
  const real = join(dist, `${name}.real.${extension}`)
  // The names do not depend on the format.
  const names = Object.keys(require(join(dist, `${name}.cjs`)))
  renameSync(file, real)
  const reliable = new Map()
  /** Whether a test passes while nothing is replaced; asked of those that fail, once each. */
  const isReliable = async (specification) => {
    if (!reliable.has(specification)) {
      writeFileSync(file, readFileSync(real))
      reliable.set(specification, await passes(vitest, specification))
    }
    return reliable.get(specification)
  }
  try {
    for (const value of names) {
      const began = performance.now()
      const replace = () => writeFileSync(file, replacement(`./${name}.real.${extension}`, names, value, extension))
      const failing = await firstFailing(vitest, byRelevance(loading, value), replace, isReliable)
      replaced += 1
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      const place = `${project} ${specifier} ${value}`
      console.log(failing === undefined ? `none ${place}, ${seconds} s` : `ok   ${place}: ${failing}, ${seconds} s`)
      if (failing === undefined) survivors.push(place)
    }
  } finally {
    renameSync(real, file)
    rmSync(real, { force: true })
  }
}

/** Returns the code of an entry point with one value replaced. */
function replacement(real, names, value, extension) {
  const mutant = `function () { throw new Error('${value} is replaced by a function that throws') }`
  if (extension === 'js') return `export * from '${real}'\nconst mutant = ${mutant}\nexport { mutant as ${value} }\n`
  const others = names.filter((name) => name !== value).map((name) => `exports.${name} = real.${name}`)
  return `'use strict'\nconst real = require('${real}')\n${others.join('\n')}\nexports.${value} = ${mutant}\n`
}

/** Tests that name the value come first, the shorter ones before the longer. */
function byRelevance(tests, value) {
  const word = new RegExp(`\\b${value}\\b`)
  const mentions = ({ specification, text }) =>
    (word.test(readFileSync(specification.moduleId, 'utf8')) ? 0 : 2) + (word.test(text) ? 0 : 1)
  return tests
    .map((test) => ({ test, rank: mentions(test) }))
    .sort((a, b) => a.rank - b.rank || a.test.text.length - b.test.text.length)
    .map(({ test }) => test.specification)
}

/** Runs tests, one file after another, until one fails; returns the path of its file. */
async function firstFailing(vitest, specifications, replace, isReliable) {
  for (const specification of specifications) {
    replace()
    if (await passes(vitest, specification)) continue
    if (await isReliable(specification)) return specification.moduleId.slice(root.length + 1)
  }
  return undefined
}

async function passes(vitest, specification) {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  // Modules of earlier runs are among them.
  const [own] = testModules.filter(({ moduleId }) => moduleId === specification.moduleId)
  return own?.ok() === true && unhandledErrors.length === 0
}

/** Returns the text of a test file and of all files of test/ and examples/ that it imports. */
function textOf(path, seen = new Set()) {
  if (seen.has(path)) return ''
  seen.add(path)
  const text = readFileSync(path, 'utf8')
  const imported = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, name]) => resolve(dirname(path), name))
  const own = imported.filter((name) => /\/(test|examples)\//.test(name))
  return [text, ...own.map((name) => textOf(name, seen))].join('\n')
}
