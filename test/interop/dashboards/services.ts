import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild } from '../../support/child.ts'
import { createConsumer } from '../../support/package/consumer.ts'
import type { PackedPackage } from '../../support/package/packed.ts'

export const scrapePath = '/management/prometheus'

export interface Service {
  readonly child: Child
  readonly port: number
}

/** Starts a service of this folder with the packed package and others. */
export async function startService(
  packed: PackedPackage,
  file: string,
  packages: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Service> {
  const folder = createConsumer(packed, packages)
  cpSync(join(import.meta.dirname, file), join(folder, 'main.mjs'))
  const env = { PATH: process.env['PATH'], ...variables }
  const child = startChild(process.execPath, ['main.mjs'], { cwd: folder, env })
  const line = await child.out.line(/^port \d+$/).catch((error: Error) => {
    throw new Error(`${file} does not start: ${child.err.lines.join('\n')}`, { cause: error })
  })
  return { child, port: Number(line.slice('port '.length)) }
}

/** Sends requests one after another until it is stopped. */
export function placeOrders(port: number): () => Promise<void> {
  let isOn = true
  const placing = (async () => {
    for (let id = 1; isOn; id += 1) await (await fetch(`http://127.0.0.1:${port}/orders/${id}`)).arrayBuffer()
  })()
  return async () => {
    isOn = false
    await placing
  }
}
