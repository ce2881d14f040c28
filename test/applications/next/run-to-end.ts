import { startChild } from '../../support/child.ts'

/** Runs a program to its end. Rejects with all that it printed if it fails. */
export async function runToEnd(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  // npm would not install the packages that a build needs.
  const child = startChild(command, args, { cwd, env: command === 'npm' ? { ...env, NODE_ENV: undefined } : env })
  const code = await child.ended
  const printed = [...child.out.lines, ...child.err.lines].join('\n')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${printed}`)
  return printed
}
