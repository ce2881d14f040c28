// Starts the service of a framework, of examples/services, on the embedded database or that of DATABASE_URL.
// Usage: npm run example express
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const shared = ['shop.ts', 'statements.ts', 'prices.ts']
const folder = 'examples/services'

/** Returns the frameworks whose service is one file, which `npm run build` compiles. */
export function frameworks(root) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'))
  return names.filter((name) => !shared.includes(name)).map((name) => name.slice(0, -'.ts'.length))
}

/** Returns the frameworks whose service has packages of its own. */
export function frameworksWithPackages(root) {
  return readdirSync(join(root, folder)).filter((name) => existsSync(join(root, folder, name, 'package.json')))
}

/**
 * Compiles the service of a framework, and installs its packages if it has some, with the packed package beside them.
 *
 * @returns {Promise<string>} the path of the file to start
 */
export async function prepareService(root, name) {
  if (frameworks(root).includes(name)) return join(root, 'build', folder, `${name}.js`)
  const { compileExamples } = await import('./build-steps/compile.mjs')
  const { installPackages } = await import('./install-packages.mjs')
  const own = join(root, folder, name)
  installPackages(own)
  rmSync(join(own, 'node_modules/upkeep'), { recursive: true, force: true })
  cpSync(join(root, 'build/node_modules/upkeep'), join(own, 'node_modules/upkeep'), { recursive: true })
  await compileExamples([`${folder}/${name}/service.ts`], join(own, 'build'), { outbase: `${folder}/${name}` })
  return join(own, 'build/service.js')
}

if (process.argv[1] === import.meta.filename) await start(process.argv[2])

async function start(name = '') {
  const root = resolve(import.meta.dirname, '..')
  const names = [...frameworks(root), ...frameworksWithPackages(root)]
  if (!names.includes(name)) {
    console.error(`Usage: npm run example ${names.join(' | ')}`)
    process.exit(2)
  }
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(1)
  const file = await prepareService(root, name)
  process.env.MANAGEMENT_TOKEN ??= randomBytes(16).toString('base64url')
  const origin = `http://127.0.0.1:${process.env.PORT ?? 3000}`
  console.log(`  curl -d '{"item":"tea"}' -H 'Content-Type: application/json' ${origin}/orders
  curl ${origin}/orders/1
  open ${origin}/management and enter the token ${process.env.MANAGEMENT_TOKEN}
`)
  process.setSourceMapsEnabled(true)
  // In this process, which gets the signals.
  await import(pathToFileURL(file).href)
}
