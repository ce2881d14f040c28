// Fails for a line of api/surface.txt that differs from an earlier commit, unless the changelog tells of it under the right
// heading: added names under Added or Changed, others under Changed, Removed or Deprecated.
// Usage: node scripts/surface/check-changelog.mjs [COMMIT], by default the newest release, or the commit before.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const path = 'api/surface.txt'
const [, , given] = process.argv
const base = given ?? newestRelease() ?? 'HEAD^'
const earlier = show(`${base}:${path}`)
if (earlier === undefined) {
  // A clone without history; the first commit that has the file.
  console.log(`SKIPPED: there is no ${path} of ${base}, with which it could be compared`)
  process.exit(given === undefined ? 0 : 2)
}
const before = linesOf(earlier)
const now = linesOf(readFileSync(path, 'utf8'))
const [, unreleased = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)

const removed = before.filter((line) => !now.includes(line))
const added = now.filter((line) => !before.includes(line))
const subjects = (lines) => new Map(lines.map((line) => [subjectOf(line), line]))
const [gone, come] = [subjects(removed), subjects(added)]

const untold = [
  ...[...gone]
    .filter(([subject]) => !isTold(subject, ['Changed', 'Removed', 'Deprecated']))
    .map(([, line]) => `- ${line}`),
  ...[...come]
    // What belongs to a new command is told with that.
    .filter(([subject]) => !gone.has(subject) && !come.has(commandOf(subject)))
    .filter(([subject]) => !isTold(subject, ['Added', 'Changed']))
    .map(([, line]) => `+ ${line}`),
]
for (const line of untold) console.log(line)
if (untold.length > 0)
  console.log(`${untold.length} lines of ${path} differ from ${base}, without an entry in CHANGELOG.md that names them`)
else console.log(`${gone.size + come.size} changes since ${base}, each in CHANGELOG.md`)
process.exitCode = untold.length > 0 ? 1 : 0

function linesOf(text) {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** Returns what a line is about: `meter micrometer http_server_requests_seconds`. */
function subjectOf(line) {
  const [kind, ...words] = line.split(' ')
  // The others have a second name.
  return [kind, ...words.slice(0, /^(error|endpoint|command|case|default|resource|exit)$/.test(kind) ? 1 : 2)].join(' ')
}

/** Returns the subject of the command that an option or an exit code belongs to. */
function commandOf(subject) {
  const [kind, name] = subject.split(' ')
  return /^(option|exit)$/.test(kind) ? `command ${name}` : undefined
}

/** Whether an entry below one of the headings has the last name of a subject as code, such as `http.server.requests`. */
function isTold(subject, headings) {
  const [kind, ...names] = subject.split(' ')
  const all = words(names.at(-1))
  const withoutUnit = all.filter((word) => !/^(seconds|bytes|total|max)$/.test(word))
  // Of a member or an option, whose path is long, the last name is enough.
  const wanted = kind === 'meter' ? withoutUnit : /^(document|default)$/.test(kind) ? all.slice(-1) : all
  const sections = unreleased
    .split(/^### /m)
    .filter((section) => headings.some((heading) => section.startsWith(heading)))
  return sections.some((section) => [...section.matchAll(/`([^`]+)`/g)].some(([, code]) => has(words(code), wanted)))
}

/** Meters have dots here and underscores there. */
function words(text) {
  return text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
}

function has(all, wanted) {
  return all.some((_, at) => wanted.every((word, index) => all[at + index] === word))
}

function newestRelease() {
  return git('describe', '--tags', '--abbrev=0', '--match', 'v*')?.trim()
}

function show(object) {
  return git('show', object)
}

function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 10_000_000 })
  } catch {
    return undefined
  }
}
