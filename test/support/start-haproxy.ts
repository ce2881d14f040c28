import { adapt, readDocumented } from './documented.ts'
import { type RunningProxy, startProxy } from './proxy.ts'

/**
 * HAProxy as docs/guides/probes.md has it, in front of two ports, asking more often and hiding nothing by trying again.
 * It waits for an answer as long as it does by default, although it asks more often.
 */
export async function startHaproxy(
  program: string,
  [a, b]: readonly [number, number],
  replacements: Readonly<Record<string, string>> = {},
): Promise<RunningProxy> {
  const proxy = await startProxy(
    program,
    ({ port }) =>
      adapt(readDocumented('guides/probes.md', 'haproxy.cfg'), {
        'bind :80': `bind 127.0.0.1:${port}`,
        '10.0.0.1:3000': `127.0.0.1:${a}`,
        '10.0.0.2:3000': `127.0.0.1:${b}`,
        'inter 1s': 'inter 100ms',
        'mode http': 'mode http\n  retries 0\n  timeout check 1s',
        ...replacements,
      }),
    ({ file }) => ['-db', '-f', file],
  )
  return proxy
}
