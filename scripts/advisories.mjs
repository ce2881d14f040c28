// Asks the registry for advisories about the packages that are bundled in dist/, as `npm audit` does about dependencies.
// Exits with 1 if there is one, and with 2 if the registry does not know. Usage: npm run advisories
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const { components } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'))
const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim()

const versions = {}
for (const { name, version } of components) versions[name] = [...(versions[name] ?? []), version]

try {
  const response = await fetch(new URL('-/npm/v1/security/advisories/bulk', registry), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(versions),
    signal: AbortSignal.timeout(30_000),
  })
  if (!response.ok) throw new Error(`it responded with ${response.status}`)
  const found = Object.entries(await response.json())
  for (const [name, advisories] of found) {
    for (const { severity, title, url, vulnerable_versions: range } of advisories)
      console.log(`${severity}: ${name} ${versions[name]} (${range}): ${title}, ${url}`)
  }
  if (found.length === 0) console.log(`no advisories about ${components.length} bundled packages`)
  process.exitCode = found.length === 0 ? 0 : 1
} catch (error) {
  console.error(`Not checked: the registry does not tell its advisories: ${error.message}`)
  process.exitCode = 2
}
