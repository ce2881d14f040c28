// Checks that a tag can be published: it names the version of package.json, is signed, and has an entry in the changelog.
// Usage: GITHUB_REF_NAME=v1.2.3 node scripts/check-release.mjs
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const tag = process.env.GITHUB_REF_NAME ?? ''
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

const problems = []
if (tag !== `v${version}`)
  problems.push(`expected the tag v${version}, which package.json has, received ${tag || 'none'}`)
if (!changelog.includes(`\n## [${version}] - `)) problems.push(`CHANGELOG.md has no section [${version}] with a date`)
const object = tag === '' ? '' : readTag()
if (!object.includes('-----BEGIN ')) problems.push(`expected that ${tag || 'the tag'} is signed`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/** Returns the object of the tag, with its signature; the empty string if there is none, or it names a commit. */
function readTag() {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', ['cat-file', 'tag', tag], options)
  } catch {
    return ''
  }
}
