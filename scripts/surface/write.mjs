// Writes api/surface.txt: what dashboards, alerts, probes and scripts depend on, a line for each name. Or compares with it.
// Usage, after `npm run build` and with Node 20: npm run surface, npm run surface -- --check
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readPublicApi } from '../public-api.mjs'

const root = resolve(import.meta.dirname, '../..')
const file = join(root, 'api/surface.txt')
const head =
  '# What a user of upkeep depends on besides the types in this folder. Written by `npm run surface`; do not edit.\n'

const lines = [...(await services()), ...commands(), ...cases(), ...errors(), ...defaults()]
const text = `${head}${[...new Set(lines)].sort().join('\n')}\n`
if (process.argv.includes('--check')) {
  const before = new Set(readFileSync(file, 'utf8').split('\n'))
  const now = new Set(text.split('\n'))
  const changes = [
    ...[...before].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ]
  for (const change of changes) console.log(change)
  process.exitCode = changes.length > 0 ? 1 : 0
} else {
  writeFileSync(file, text)
}

/** What services show, with both conventions of names. */
async function services() {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    GIT_COMMIT: '50c550c2fd1b0c9a4e7f8d6b3a5c1e2f4d6b8a90',
    GIT_BRANCH: 'main',
  }
  const outputs = await Promise.all(
    ['micrometer', 'opentelemetry'].map((convention) =>
      promisify(execFile)(process.execPath, ['--expose-gc', join(import.meta.dirname, 'service.mjs'), convention], {
        env,
      }),
    ),
  )
  // They exist in a container, where the system has them, or for what was slow.
  const depends =
    /^meter \w+ (container_|process_memory_(swap|vss)|process_files|system_load)|^document startup .*parentId/
  return outputs.flatMap(({ stdout }) => stdout.trim().split('\n')).filter((line) => !depends.test(line))
}

/** The commands, their options and their exit codes. */
function commands() {
  const help = (...words) =>
    execFileSync(process.execPath, [join(root, 'dist/cli.cjs'), ...words, '--help'], { encoding: 'utf8' })
  const names = [...help().matchAll(/^ {2}upkeep (\w+)/gm)].map(([, name]) => name)
  return names.flatMap((name) => {
    const page = help(name)
    const options = [...page.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => `option ${name} ${option}`)
    const [codes] = /The exit code is [^.]*\./.exec(page.replaceAll(/\s+/g, ' ')) ?? []
    return [`command ${name}`, ...options, ...(codes ? [`exit ${name} ${codes}`] : [])]
  })
}

/** The cases of the contract. */
function cases() {
  const args = [join(root, 'dist/cli.cjs'), 'contract', '--list', '--reporter', 'json']
  const listed = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 10_000_000 }))
  return listed.map(({ id, level }) => `case ${id} ${level}`)
}

/** The codes of errors. */
function errors() {
  const page = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8')
  return [...page.matchAll(/UPKEEP_E[A-Z]+/g)].map(([code]) => `error ${code}`)
}

/** The defaults of options, as their comments state them. */
function defaults() {
  return [...readPublicApi(root)].flatMap(([, names]) =>
    names.flatMap(({ name, commented }) => defaultsOf(name, commented)),
  )
}

function defaultsOf(name, declaration) {
  const text = declaration.replaceAll(/\n\s*\*(?!\/) ?/g, ' ').replaceAll(/\s+/g, ' ')
  const comments = text.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/ (?:readonly )?(\w+)\??[:(]/g)
  return [...comments].flatMap(([, comment = '', member]) => {
    const value = /@default ((?:(?! @[a-z]).)*)/.exec(comment)?.[1]
    return value === undefined ? [] : [`default ${name}.${member} ${value.trim()}`]
  })
}
