// Writes rules/<convention>.yml and dashboards/<convention>/. Usage: node deploy/observability/write.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { conventions } from './conventions.mjs'
import { dashboards } from './dashboards.mjs'
import { ruleGroups } from './rules.mjs'

/** Returns the files by their paths from this folder. */
export function observabilityFiles() {
  return Object.fromEntries(
    Object.entries(conventions).flatMap(([convention, names]) => [
      [
        `rules/${convention}.yml`,
        `# Written by write.mjs, for services with the option conventions: '${convention}'.\n` +
          stringify({ groups: ruleGroups(names) }, { lineWidth: 0 }),
      ],
      ...Object.entries(dashboards(convention, names)).map(([name, dashboard]) => [
        `dashboards/${convention}/${name}.json`,
        `${JSON.stringify(dashboard, undefined, 2)}\n`,
      ]),
    ]),
  )
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of Object.entries(observabilityFiles())) {
    const file = join(import.meta.dirname, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
