// Uses the built package as a service would, from ESM and from CommonJS, over a real socket of the Node that runs it.
// Usage, in the repository and after `npm run build`: node scripts/smoke.mjs [the major version that it must run on]
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// build/ is a project of its own, with the packed package installed.
const require = createRequire(new URL('../build/package.json', import.meta.url))
const load = (entry) => import(pathToFileURL(require.resolve(entry)).href)
const [asked = process.versions.node] = process.argv.slice(2)
assert.equal(process.versions.node.split('.')[0], asked.split('.')[0], 'runs on the Node that was asked for')

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const entries = Object.keys(exports)
  .filter((entry) => !entry.endsWith('.json'))
  .map((entry) => entry.replace('.', 'upkeep'))

for (const entry of entries) {
  const imported = Object.keys(await load(entry)).filter((name) => name !== 'default' && name !== 'module.exports')
  const required = Object.keys(require(entry))
  // `upkeep/auto` is loaded for what it does.
  if (entry !== 'upkeep/auto') assert.notEqual(imported.length, 0, entry)
  assert.deepEqual(imported.sort(), required.sort(), entry)
}

await answersHealth('ESM', await load('upkeep'), await load('upkeep/node'))
await answersHealth('require', require('upkeep'), require('upkeep/node'))
// By their paths, since `exports` gives Node the CommonJS files.
const esModule = (name) => import(new URL(`../build/node_modules/upkeep/dist/${name}.js`, import.meta.url).href)
await answersHealth('bundled', await esModule('index'), await esModule('node'))
console.log(`${entries.length} entries, ESM and CommonJS, on Node ${process.version}`)

async function answersHealth(format, { createManagement }, { manage }) {
  const management = createManagement({
    application: { name: 'smoke' },
    health: { indicators: { db: () => ({ status: 'UP' }) }, showDetails: 'always' },
  })
  const server = createServer(manage(management)).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const response = await fetch(`http://127.0.0.1:${server.address().port}/management/health`)
    assert.equal(response.status, 200, format)
    assert.equal(response.headers.get('cache-control'), 'no-store', format)
    const health = await response.json()
    assert.equal(health.status, 'UP', format)
    assert.equal(health.components.db.status, 'UP', format)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
