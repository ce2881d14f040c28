// What `upkeep probe` adds to the start of Node, answered by a server in this process. Goal: 1.4 times bare Node at
// most. Usage, after `npm run build`: node bench/probe.mjs
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missed, pairedValues, report } from './harness.mjs'

const folder = mkdtempSync(join(tmpdir(), 'upkeep-probe-'))
const bare = join(folder, 'bare.cjs')
const fetched = join(folder, 'fetch.cjs')
const server = createServer((_, res) => res.end('{"status":"UP"}'))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/management/health/readiness`
writeFileSync(bare, '')
writeFileSync(fetched, `fetch('${url}').then(({ status }) => process.exit(status === 200 ? 0 : 1))`)
const command = fileURLToPath(new URL('../build/node_modules/upkeep/dist/cli.cjs', import.meta.url))

/** Milliseconds from the start of a process to its end. */
function run(...words) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(process.execPath, words, { stdio: 'ignore' })
    child.on('close', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`ended with ${code}`)),
    )
  })
}

try {
  const contenders = {
    'bare Node': () => run(bare),
    'upkeep probe': () => run(command, 'probe', url),
    'node -e fetch': () => run(fetched),
  }
  const { value, ratio } = await pairedValues(contenders, { rounds: 25 })
  const added = value('upkeep probe') - value('bare Node')
  const times = Object.keys(contenders).map((name) => `${name} ${value(name).toFixed(1)} ms`)
  const detail = `${times.join(', ')}; ${added.toFixed(1)} ms on top of bare Node`
  report('upkeep probe / bare Node', ratio('upkeep probe', 'bare Node'), { atMost: 1.4, detail })
  report('upkeep probe / node -e fetch', ratio('upkeep probe', 'node -e fetch'), { atMost: 1 })
} finally {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}
if (missed().length > 0) process.exitCode = 1
