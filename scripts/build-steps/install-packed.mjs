// Packs the package and unpacks the tarball into build/, a project of its own, as npm installs a package without
// dependencies: tests and examples use what would be published. Frameworks and loggers they find in the repository's
// node_modules, above it. A step of scripts/build.mjs.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const project = join(root, 'build')
const installed = join(project, 'node_modules/upkeep')

rmSync(join(project, 'node_modules'), { recursive: true, force: true })
mkdirSync(installed, { recursive: true })
writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
const [{ filename }] = JSON.parse(execute('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', project))
execute('tar', '-xzmf', join(project, filename), '--strip-components', '1', '-C', installed)

function execute(command, ...args) {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
