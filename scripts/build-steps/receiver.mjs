// Compiles the webhook receiver, and the ES modules of upkeep that it imports, into build/start/, a project of its own.
// Usage: node scripts/build-steps/receiver.mjs
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { entryPoints } from '../entry-points.mjs'
import { compileExamples, compilePackage } from './compile.mjs'

const project = 'build/start'
const installed = `${project}/node_modules/upkeep`
const library = Object.fromEntries(entryPoints.map(({ name, source }) => [name, source]))

rmSync(project, { recursive: true, force: true })
mkdirSync(installed, { recursive: true })
// Without it Node would take `upkeep` for the repository's own package.
writeFileSync(`${project}/package.json`, '{ "private": true, "type": "module" }\n')
cpSync('package.json', `${installed}/package.json`)
await Promise.all([
  compilePackage(library, `${installed}/dist`),
  compileExamples(['examples/webhook-receiver/main.ts'], project),
])
