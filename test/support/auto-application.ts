import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { built } from './built.ts'
import { type Child, startChild } from './child.ts'
import { folderWith } from './folder-with.ts'
import { freePort } from './free-port.ts'

/** How a program is started. */
export interface AutoOptions {
  /** The arguments of node before the program. @default ['--import', 'upkeep/auto'] */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** @default 'app.mjs' */
  readonly program?: string
  readonly args?: readonly string[]
  readonly cwd?: string
}

/** An application in a folder of its own, in whose node_modules the packed package is installed. */
export interface AutoApplication {
  readonly folder: string
  /** The port of its management, on a loopback address. */
  readonly port: number
  /** The environment of its processes. */
  readonly env: Readonly<Record<string, string>>
  start(options?: AutoOptions): Child
  /** Requests a path of the management; with a token, as its owner. */
  get(path: string, token?: string): Promise<{ readonly status: number; readonly text: string }>
}

/** Prints its port, responds after the number of milliseconds in the path, and ends when its input contains `end`. */
export const httpProgram = `
import { createServer } from 'node:http'
const server = createServer((req, res) => setTimeout(() => res.end('hello'), Number(req.url.slice(1))))
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port))
process.stdin.on('data', (text) => {
  if (!String(text).includes('end')) return
  server.close()
  process.stdin.destroy()
})
`

/** Writes an application, which exists until the test is over. */
export async function writeApplication(files: Readonly<Record<string, string>>): Promise<AutoApplication> {
  const folder = await folderWith({ 'package.json': '{ "name": "shop", "version": "2.1.0" }', ...files })
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(built('build/node_modules/upkeep'), join(folder, 'node_modules/upkeep'))
  const port = await freePort()
  // Not the variables of this process: in a test runner, upkeep/auto does nothing.
  const { PATH = '', HOME = folder, NODE_EXTRA_CA_CERTS = '' } = process.env
  const env = { PATH, HOME, NODE_EXTRA_CA_CERTS, TMPDIR: folder, UPKEEP_HOST: '127.0.0.1', UPKEEP_PORT: String(port) }
  return {
    folder,
    port,
    env,
    start({ flags = ['--import', 'upkeep/auto'], env: more = {}, program = 'app.mjs', args = [], cwd = folder } = {}) {
      const child = startChild(process.execPath, [...flags, join(folder, program), ...args], {
        cwd,
        env: { ...env, ...more },
      })
      onTestFinished(() => child.kill())
      return child
    },
    async get(path, token) {
      const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      return { status: response.status, text: await response.text() }
    },
  }
}

/** Returns the lines that upkeep has written so far. */
export function upkeepLines(child: { readonly err: { readonly lines: readonly string[] } }): readonly string[] {
  return child.err.lines.filter((line) => line.startsWith('upkeep: '))
}

/** Resolves with the port that the program has printed. */
export async function applicationPort(child: Child): Promise<number> {
  return Number((await child.out.line(/^port \d+$/)).split(' ')[1])
}
