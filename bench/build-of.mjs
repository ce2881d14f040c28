// The package of an earlier commit, built once and kept in build/history/.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

export const historyFolder = join(root, 'build/history')

/** The packed package that `npm run build` has installed. */
export const currentBuild = join(root, 'build/node_modules/upkeep')

/** Builds the package of a commit, and returns where it is. */
export function buildOf(commit) {
  const folder = join(historyFolder, commit)
  const installed = join(folder, 'build/node_modules/upkeep')
  if (existsSync(join(installed, 'package.json'))) return installed
  console.log(`Building ${commit} …`)
  execute(root, 'git', 'clone', '--quiet', '--shared', '.', folder)
  execute(folder, 'git', 'checkout', '--quiet', commit)
  execute(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  execute(folder, 'npm', 'run', 'build')
  if (existsSync(installed)) return installed
  // The first edition installed no package.
  mkdirSync(join(folder, 'build/node_modules'), { recursive: true })
  symlinkSync(folder, installed)
  return installed
}

/** Returns the megabytes that a build has once it is unpacked. */
export function unpackedMegabytes(build) {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: build,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)[0].unpackedSize / 1e6
}

function execute(cwd, command, ...args) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
