import { isatty } from 'node:tty'

/**
 * Whether somebody waits for the end of this process at their desk: a Ctrl-C on a terminal, or a restart by `node --watch`,
 * which is known by the variable that it gives its child.
 */
export function isDevelopment(signal: NodeJS.Signals): boolean {
  return process.env['WATCH_REPORT_DEPENDENCIES'] !== undefined || (signal === 'SIGINT' && [0, 1, 2].some(isatty))
}
