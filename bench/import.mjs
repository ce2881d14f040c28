// What `import 'upkeep'` and `require('upkeep')` cost on top of bare Node, `upkeep/otlp` on top of those, and a service
// with health until its first response. Goals: 9 ms for upkeep, 14 for an adapter, 10 for `upkeep/otlp` on top.
// Usage, in the repository and after `npm run build`: node bench/import.mjs [rounds, 25 by default]
//
// Every run is a fresh process. A round runs each case once, in an order that turns from round to round, and each case
// is compared with bare Node of the same round and format; the median of these differences is what counts. Beside the
// time on the wall stands the processor's: on a machine that does other work, too, only that one tells much.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const goals =
  "the goals are 9 ms on top at most for 'upkeep', 14 for an adapter, and 10 for 'upkeep/otlp' on top of 'upkeep'"
const rounds = Math.min(Number(process.argv[2] ?? 25), 200)
if (!(rounds >= 15)) throw new RangeError(`rounds must be 15 to 200, not ${process.argv[2]}`)

const root = new URL('..', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'upkeep-import-'))
const packed = new URL('build/node_modules/upkeep/dist/', root)
const built = (file) => JSON.stringify(new URL(file, packed).href)
const required = (file) => JSON.stringify(new URL(file, packed).pathname)

const cases = {
  'bare Node, ESM': { file: 'bare.mjs', load: '' },
  'bare Node, CommonJS': { file: 'bare.cjs', load: '' },
}
for (const entry of ['index', 'node', 'express', 'koa']) {
  const name = entry === 'index' ? 'upkeep' : `upkeep/${entry}`
  cases[`import '${name}'`] = { file: `${entry}.mjs`, load: `import ${built(`${entry}.mjs`)}`, bare: 'bare Node, ESM' }
  cases[`require('${name}')`] = {
    file: `${entry}.cjs`,
    load: `require(${required(`${entry}.cjs`)})`,
    bare: 'bare Node, CommonJS',
  }
}
cases["import 'upkeep/otlp', too"] = {
  file: 'otlp.mjs',
  load: [cases["import 'upkeep'"].load, `import ${built('otlp.mjs')}`].join('\n'),
  bare: "import 'upkeep'",
}
cases["require('upkeep/otlp'), too"] = {
  file: 'otlp.cjs',
  load: [cases["require('upkeep')"].load, `require(${required('otlp.cjs')})`].join('\n'),
  bare: "require('upkeep')",
}

cases['health, to its first response'] = {
  file: 'health.mjs',
  load: [
    `import { createManagement } from ${built('index.mjs')}`,
    "const management = createManagement({ health: { indicators: { db: () => ({ status: 'UP' }) } } })",
    "await management({ method: 'GET', target: '/management/health', headers: {}, base: '', body() {} })",
  ].join('\n'),
  bare: 'bare Node, ESM',
}

/** Each process ends by telling the time that it took of the processor, in microseconds. */
const tell = 'writeSync(1, String(Object.values(process.cpuUsage()).reduce((sum, part) => sum + part)))'
const writer = { mjs: "import { writeSync } from 'node:fs'", cjs: "const { writeSync } = require('node:fs')" }

try {
  for (const { file, load } of Object.values(cases)) {
    writeFileSync(join(folder, file), [writer[file.split('.')[1]], load, tell].join('\n'))
  }
  const runs = measure()
  const rows = Object.entries(cases).map(([name, { bare }]) => {
    const onTop = (kind) => median(runs[name].map((run, turn) => run[kind] - (bare ? runs[bare][turn][kind] : 0)))
    const [wall, cpu] = [round(onTop('wall')), round(onTop('cpu'))]
    return bare
      ? { case: name, 'ms on top': wall, 'CPU ms on top': cpu }
      : { case: name, 'ms in all': wall, 'CPU ms in all': cpu }
  })
  console.table(rows, ['case', 'ms in all', 'CPU ms in all', 'ms on top', 'CPU ms on top'])
  console.log(`medians of ${rounds} rounds on Node ${process.version}; ${goals}\n`)
  for (const [name, { file, bare }] of Object.entries(cases)) if (bare) console.log(`${name} loads ${loads(file)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What every process took, by case and round. */
function measure() {
  const names = Object.keys(cases)
  const runs = Object.fromEntries(names.map((name) => [name, []]))
  for (const name of names) run(cases[name].file)
  for (let turn = 0; turn < rounds; turn += 1) {
    for (let step = 0; step < names.length; step += 1) {
      const name = names[(turn + step) % names.length]
      runs[name][turn] = run(cases[name].file)
    }
  }
  return runs
}

/** Milliseconds on the wall, from here, and of the processor, as the process tells. */
function run(file) {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, file)], { encoding: 'utf8' })
  const wall = performance.now() - began
  if (status !== 0) throw new Error(`${file}: ${stderr}`)
  return { wall, cpu: Number(stdout) / 1_000 }
}

/** The files that a case opens beside its own, and which of Node's own modules it needs more than bare Node. */
function loads(file) {
  const { files, own } = watch(file)
  const bare = new Set(watch(file.endsWith('.cjs') ? 'bare.cjs' : 'bare.mjs').own)
  const more = own.filter((name) => !bare.has(name))
  const names = files.map((path) => path.replace(root.pathname, ''))
  const packages = names.map((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? name)
  const counted = [...new Set(packages)].map((name) => [name, packages.filter((one) => one === name).length])
  const told = counted.map(([name, count]) => (count === 1 ? name : `${count} of ${name}`)).join(', ')
  return `${names.length} files (${told}); of Node's own modules, more than bare Node: ${more.join(', ') || 'none'}`
}

/** Runs a case under a watch that prints every file at its loading, and Node's own modules at the end. */
function watch(file) {
  const watching = join(folder, 'watching.mjs')
  writeFileSync(
    watching,
    `import module from 'node:module'
    const hook = "import { writeSync } from 'node:fs'; export const load = (url, context, next) => " +
      "(writeSync(1, 'file ' + url + String.fromCharCode(10)), next(url, context))"
    module.register('data:text/javascript,' + encodeURIComponent(hook))
    process.on('exit', () => {
      const cached = Object.keys(module.createRequire(import.meta.url).cache)
      for (const path of cached) console.log('file file://' + path)
      for (const name of process.moduleLoadList) console.log(name.replace('NativeModule ', 'own '))
    })`,
  )
  const { stdout } = spawnSync(process.execPath, ['--import', watching, join(folder, file)], { encoding: 'utf8' })
  const words = (kind) =>
    [...new Set(stdout.split('\n').filter((line) => line.startsWith(`${kind} `)))].map((line) =>
      line.slice(kind.length + 1),
    )
  return {
    files: [...new Set(words('file').map((url) => url.replace('file://', '')))].filter((path) =>
      path.startsWith(root.pathname),
    ),
    own: words('own').filter((name) => !name.startsWith('internal/')),
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}

function round(milliseconds) {
  return Math.round(milliseconds * 10) / 10
}
