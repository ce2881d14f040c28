// Packs the package and installs the tarball into build/, a project of its own: tests and examples use what would be
// published. Frameworks and loggers they find in the repository's node_modules, above it. Usage: after the build.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const project = join(root, 'build')

rmSync(join(project, 'node_modules'), { recursive: true, force: true })
mkdirSync(project, { recursive: true })
const [{ filename }] = JSON.parse(npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', project))
writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
npm(project, 'install', '--no-save', '--no-package-lock', '--prefer-offline', '--ignore-scripts', `./${filename}`)
// Tells those who ask whether the build is newer than the sources.
const now = new Date()
utimesSync(join(project, 'package.json'), now, now)

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
