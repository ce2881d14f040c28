// Starts the service of a framework, of examples/services, on the embedded database or that of DATABASE_URL.
// Usage: npm run example express
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const shared = ['shop.ts', 'prices.ts']

/** Returns the frameworks that have a service. */
export function frameworks(root) {
  const names = readdirSync(join(root, 'examples/services')).filter((name) => name.endsWith('.ts'))
  return names.filter((name) => !shared.includes(name)).map((name) => name.slice(0, -'.ts'.length))
}

if (process.argv[1] === import.meta.filename) await start(process.argv[2])

async function start(name = '') {
  const root = resolve(import.meta.dirname, '..')
  if (!frameworks(root).includes(name)) {
    console.error(`Usage: npm run example ${frameworks(root).join(' | ')}`)
    process.exit(2)
  }
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(1)
  process.env.MANAGEMENT_TOKEN ??= randomBytes(16).toString('base64url')
  const origin = `http://127.0.0.1:${process.env.PORT ?? 3000}`
  console.log(`  curl -d '{"item":"tea"}' -H 'Content-Type: application/json' ${origin}/orders
  curl ${origin}/orders/1
  open ${origin}/management and enter the token ${process.env.MANAGEMENT_TOKEN}
`)
  process.setSourceMapsEnabled(true)
  // In this process, which gets the signals.
  await import(pathToFileURL(join(root, `build/examples/services/${name}.js`)).href)
}
