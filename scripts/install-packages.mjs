// Installs the packages of folders that have a lock of their own, those of the repository apart; unless they are
// installed from the same lock already. Usage: node scripts/install-packages.mjs FOLDER…
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs the packages of a folder. Throws with the output of npm if that fails.
 *
 * @param {string} folder
 */
export function installPackages(folder) {
  // Names the lock from which the packages are.
  const stamp = join(folder, 'node_modules/.lock')
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...quiet], { cwd: folder, stdio: 'pipe' })
  writeFileSync(stamp, lock)
}

if (process.argv[1] === import.meta.filename) {
  for (const folder of process.argv.slice(2)) installPackages(folder)
}
