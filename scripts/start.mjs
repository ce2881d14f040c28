// Starts the webhook receiver. Builds it before, where the build is absent or older than its sources.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')
// The first is written when the packed package is installed, the last step of a build.
const built = ['build/package.json', 'build/examples/webhook-receiver/main.js'].map((path) => join(root, path))
const sources = ['src', 'adapters', 'examples', 'scripts', 'package.json', 'tsup.config.ts'].map((path) =>
  join(root, path),
)

/** When the newest of the files changed, those in folders included. */
function newest(paths) {
  const files = paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path]
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  })
  return Math.max(...files.map((file) => statSync(file).mtimeMs))
}

function isBuilt() {
  return built.every(existsSync) && newest(sources) < Math.min(...built.map((file) => statSync(file).mtimeMs))
}

if (!isBuilt()) {
  console.log('Building upkeep and its examples, which takes half a minute or so …')
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8', shell: true })
  if (status !== 0) {
    console.error(stdout + stderr)
    process.exit(1)
  }
}
process.setSourceMapsEnabled(true)
// In this process, which gets the signals.
await import(pathToFileURL(join(root, 'build/examples/webhook-receiver/main.js')).href)
