// Compiles the webhook receiver, and the ES modules of upkeep that it imports, into build/start/, a project of its own.
// Usage: node scripts/build-steps/receiver.mjs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { entryPoints } from '../entry-points.mjs'
import { compileExamples, compilePackage } from './compile.mjs'

const project = 'build/start'
const installed = `${project}/node_modules/upkeep`
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const library = Object.fromEntries(entryPoints.map(({ name, source }) => [name, source]))

rmSync(project, { recursive: true, force: true })
mkdirSync(installed, { recursive: true })
// Without it Node would take `upkeep` for the repository's own package.
writeFileSync(`${project}/package.json`, '{ "private": true, "type": "module" }\n')
const exports = Object.fromEntries(
  entryPoints.map(({ specifier, name }) => [specifier.replace('upkeep', '.'), `./dist/${name}.js`]),
)
writeFileSync(`${installed}/package.json`, JSON.stringify({ ...manifest, exports }))
await Promise.all([
  compilePackage(library, `${installed}/dist`),
  compileExamples(['examples/webhook-receiver/main.ts'], project),
])
