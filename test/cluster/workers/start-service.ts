import { resolve } from 'node:path'
import { built } from '../../support/built.ts'
import { type Child, startChild } from '../../support/child.ts'
import { freePort } from '../../support/free-port.ts'

/** A service of node:cluster. */
export interface ClusterService {
  readonly port: number
  readonly primary: Child
  send(command: { readonly command: string; readonly [option: string]: unknown }): void
}

/** Starts the service with two workers by default. Resolves when they listen. */
export async function startService(env: NodeJS.ProcessEnv = {}): Promise<ClusterService> {
  const port = await freePort()
  const dist = resolve(built('build/node_modules/upkeep/dist/cluster.js'), '..')
  const variables = { ...process.env, UPKEEP_DIST: dist, PORT: String(port), WORKERS: '2', ...env }
  const primary = startChild(process.execPath, [resolve(import.meta.dirname, 'service.mjs')], { env: variables })
  await primary.out.line(/^ready$/)
  return { port, primary, send: (command) => primary.writeInput(`${JSON.stringify(command)}\n`) }
}
