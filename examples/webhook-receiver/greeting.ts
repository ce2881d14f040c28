import type { Prepared } from './database/prepare.ts'
import type { Receiver } from './start.ts'
import { version } from './version.ts'

type Listening = Pick<Receiver, 'url' | 'database'>

/** Returns the first line for an operator: where the receiver listens, and what it waits for. */
export function greetListening({ url, database }: Listening): string {
  return `webhook-receiver ${version} listens on ${url}\nMessages are stored in ${database}.\n`
}

/** Returns commands that an operator can try once the receiver accepts messages. */
export function greetPrepared({ url }: Listening, { created, hooks }: Prepared, hasToken: boolean): string {
  const base = reachable(url)
  const curl = hasToken ? 'curl -i -u operator' : 'curl -i'
  return [
    ...(created === undefined ? describeHooks(hooks) : describeNewHook(`${base}/hooks/${created.key}`)),
    '',
    ...(hasToken
      ? [
          'Open in a browser, as the user "operator" with MANAGEMENT_TOKEN as the password:',
          `  ${base}/hooks${created === undefined ? '' : `/${created.id}`}`,
          `  ${base}/management/console`,
        ]
      : ['Messages and details are shown to nobody: start with MANAGEMENT_TOKEN=<a secret> to see them.']),
    '',
    `Health and information${hasToken ? '; curl asks for the password, which is MANAGEMENT_TOKEN' : ''}:`,
    `  ${curl} '${base}/management/health'`,
    `  curl -i '${base}/management/health/readiness'`,
    `  curl -i '${base}/management/info'`,
    '',
  ].join('\n')
}

function describeNewHook(address: string): readonly string[] {
  return [
    'Created a hook. Keep its address: only a hash of the key in it is stored, and it is not shown again.',
    `  ${address}`,
    'Post a message to it:',
    `  curl -i -H 'Content-Type: application/json' -d '{"text":"Hello from curl"}' '${address}'`,
  ]
}

function describeHooks(hooks: number): readonly string[] {
  return [
    `${hooks === 1 ? 'There is 1 hook' : `There are ${hooks} hooks`}; the addresses were shown when they were created.`,
    'To create another, start with: npm start -- --new-hook',
  ]
}

/** Replaces an address that stands for all interfaces, which no client can connect to. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
