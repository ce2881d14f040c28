import { startChild } from '../../support/child.ts'

/** Runs a program to its end. Rejects with all that it printed if it fails. */
export async function execute(cwd: string, command: string, args: readonly string[]): Promise<void> {
  // npm would not install the packages that a build needs.
  const child = startChild(command, args, {
    cwd,
    env: { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' },
  })
  const code = await child.ended
  if (code === 0) return
  const printed = [...child.out.lines, ...child.err.lines].join('\n')
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${printed}`)
}
