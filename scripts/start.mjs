// Starts the webhook receiver. Compiles it before, and of upkeep what it runs, if a source has changed. Where it is tried
// out, with neither a token nor a database, it gets a token for this start.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfChanged, receiverBuild } from './build-steps/record.mjs'

const root = resolve(import.meta.dirname, '..')

await buildIfChanged(root, receiverBuild, () => {
  console.log('Building upkeep and the webhook receiver …')
  const script = join(root, 'scripts/build-steps/receiver.mjs')
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) process.exit(1)
})
if (!process.env.MANAGEMENT_TOKEN && !process.env.DATABASE_URL) {
  process.env.MANAGEMENT_TOKEN = randomBytes(16).toString('base64url')
  console.log(`MANAGEMENT_TOKEN is not set: for this start it is ${process.env.MANAGEMENT_TOKEN}\n`)
}
process.setSourceMapsEnabled(true)
// In this process, which gets the signals.
await import(pathToFileURL(join(root, 'build/start/webhook-receiver/main.js')).href)
