// Starts each quick start, and lets the command check it: `upkeep probe`, then `upkeep contract`.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const fileAt = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const command = fileAt('build/node_modules/upkeep/dist/cli.cjs')
const built = (name) => fileAt(`build/examples/${name}.js`)
const quickStarts = {
  express: [built('express')],
  koa: [built('koa')],
  node: [built('node')],
  fastify: [built('fastify')],
  hono: [built('hono')],
  fetch: [fileAt('scripts/serve-fetch.mjs'), built('fetch')],
}

/**
 * Cases of dots in paths, which a handler of a `Request` cannot hold where its server makes a URL of the path first.
 */
const dots = ['dot', 'dots', 'encoded-dots'].map((name) => `conventions.paths.${name}`)

/** Runs them all by `run`, and the command by `node`; answers how many cases held of each. */
export async function quickStartsKeepContract({ run, node }) {
  const names = Object.keys(quickStarts)
  const checks = names.map((name) => check(name, reasonOf(name), run, node))
  // Each ends its quick start, whatever becomes of the others.
  await Promise.allSettled(checks)
  const checked = await Promise.all(checks)
  const held = []
  let untold
  for (const [at, cases] of checked.entries()) {
    const name = names[at]
    const reason = reasonOf(name)
    const skipped = cases.filter(({ kind }) => kind === 'skipped')
    const lacking = skipped.filter((one) => one.reason === reason).map(({ id }) => id)
    assert.deepEqual(lacking, reason === undefined ? [] : dots, name)
    // What nobody told of one quick start, nobody told of the others either: nothing else may be skipped.
    const others = skipped.filter(({ id }) => !lacking.includes(id)).map(({ id }) => id)
    untold ??= others
    assert.deepEqual(others, untold, name)
    held.push(`${name} ${cases.length - skipped.length}`)
  }
  return `cases of the contract held: ${held.join(', ')}, ${untold.length} need what no quick start has`
}

/** The cases of a quick start, none of which is broken. */
async function check(name, reason, [program, ...options], node) {
  const env = { ...process.env, PORT: '0' }
  const child = spawn(program, [...options, ...quickStarts[name]], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [printed] = await once(child.stdout, 'data')
    const url = `http://127.0.0.1:${/port: (\d+)/.exec(String(printed))?.[1]}`
    const probe = await ran(node, [command, 'probe', `${url}/management/health/readiness`])
    assert.equal(probe.code, 0, `${name}: ${probe.err}`)
    const words = [command, 'contract', url, '--route', '/orders', '--expose', 'health,info,metrics,prometheus']
    words.push('--details', 'never', ...(reason === undefined ? [] : ['--unsupported', `raw-targets=${reason}`]))
    const asked = await ran(node, [...words, '--reporter', 'json'])
    assert.equal(asked.code, 0, `${name}: ${asked.err}${asked.out}`)
    return JSON.parse(asked.out).cases
  } finally {
    child.kill()
  }
}

function ran(file, words) {
  return new Promise((resolve) => {
    execFile(file, words, { maxBuffer: 10_000_000 }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }))
  })
}

/** Why the server beneath a quick start cannot hand on raw targets; `undefined` where it can. */
function reasonOf(name) {
  if (name !== 'fetch' || globalThis.Deno) return undefined
  const server = globalThis.Bun ? 'Bun.serve' : '@hono/node-server'
  return `${server} resolves dots in a path before a handler gets its Request`
}
