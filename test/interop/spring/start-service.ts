import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../support/child.ts'
import { createConsumer } from '../../support/package/consumer.ts'
import type { PackedPackage } from '../../support/package/packed.ts'

/** The service of `orders-service.mjs`. */
export interface Service {
  readonly port: number
  readonly url: string
  /** Returns the requests so far, such as `GET /actuator/health`. */
  readonly requests: () => Promise<readonly string[]>
  /** The lines that it has logged at WARN and ERROR. */
  readonly problems: () => readonly string[]
  /** Shuts it down in order, and resolves with its exit code. */
  readonly stop: () => Promise<number | NodeJS.Signals | null>
  readonly kill: () => Promise<void>
}

/** Starts the service with the packed package. */
export async function startService(packed: PackedPackage, variables: NodeJS.ProcessEnv): Promise<Service> {
  const folder = createConsumer(packed, [])
  cpSync(join(import.meta.dirname, 'orders-service.mjs'), join(folder, 'main.mjs'))
  const env = { PATH: process.env['PATH'], ...variables }
  const child = startChild(process.execPath, ['main.mjs'], { cwd: folder, env })
  const line = await child.out.line(/^port \d+$/).catch((error: Error) => {
    throw new Error(`the service does not start: ${child.err.lines.join('\n')}`, { cause: error })
  })
  const port = Number(line.slice('port '.length))
  const url = `http://127.0.0.1:${port}`
  return {
    port,
    url,
    requests: async () => (await (await fetch(`${url}/seen`)).json()) as string[],
    problems: () => [...child.out.lines, ...child.err.lines].filter((each) => /"level":"(?:WARN|ERROR)"/.test(each)),
    async stop() {
      child.process.stdin?.end()
      return await child.ended
    },
    kill: child.kill,
  }
}
