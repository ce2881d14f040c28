import type { Receiver } from './start.ts'
import { version } from './version.ts'

/** What of a receiver it tells. */
export type Greeted = Pick<Receiver, 'url' | 'database' | 'hooks' | 'newKey'>

/** What an operator reads when the receiver has started: where it listens, and what to try. */
export function greeting({ url, database, hooks, newKey }: Greeted, hasToken: boolean): string {
  const base = reachable(url)
  return [
    `webhook-receiver ${version} listens on ${url}`,
    `Messages are stored in ${database}.`,
    '',
    ...(newKey === undefined ? describeHooks(hooks) : describeNewHook(`${base}/hooks/${newKey}`)),
    '',
    'How it is:',
    `  curl -i '${base}/management/health'`,
    `  curl -i '${base}/management/health/readiness'`,
    `  curl -i '${base}/management/info'`,
    ...(hasToken
      ? ['With details:', `  curl -i -H "Authorization: Bearer $MANAGEMENT_TOKEN" '${base}/management/health'`]
      : ['Details are shown to nobody: start with MANAGEMENT_TOKEN=<a secret> to see them with that token.']),
    '',
  ].join('\n')
}

function describeNewHook(address: string): readonly string[] {
  return [
    'A new hook. Keep its address: only a hash of the key in it is stored, and it is not shown again.',
    `  ${address}`,
    'Post a message to it:',
    `  curl -i -H 'Content-Type: application/json' -d '{"text":"Hello from curl"}' '${address}'`,
  ]
}

function describeHooks(hooks: number): readonly string[] {
  return [
    `${hooks === 1 ? 'There is 1 hook' : `There are ${hooks} hooks`}; the addresses were shown when they were created.`,
    'For one more, start with: npm start -- --new-hook',
  ]
}

/** An address that listens everywhere is none to connect to. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
