import { resolve } from 'node:path'
import { built } from './built.ts'
import { type Child, startChild } from './child.ts'

/** Starts the example of a service that shuts down gracefully, as a process of its own. */
export async function startInstance(port: number, delay: string): Promise<Child> {
  const program = built('build/examples/graceful-shutdown.js')
  const env = { ...process.env, PORT: String(port), SHUTDOWN_DELAY: delay }
  const child = startChild(process.execPath, [program], { cwd: resolve(import.meta.dirname, '../..'), env })
  await child.out.line(/port: \d+/)
  return child
}
