import { type Duration, durationMilliseconds } from '../duration.ts'
import { prometheusText } from '../formats/prometheus-text.ts'
import { createScraper } from '../formats/scraper.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'

/** A group of metrics in a Pushgateway. */
export interface PushGroup {
  /** Where the Pushgateway is, such as `http://pushgateway:9091`. */
  readonly url: string
  readonly job: string
  /** What tells this group from others of the job, such as `{ instance: 'eu-1' }`. @default {} */
  readonly grouping?: Readonly<Record<string, string>> | undefined
  /** Sent along, for example `{ Authorization: 'Bearer …' }`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How long the Pushgateway may take. @default '5s' */
  readonly timeout?: Duration | undefined
}

export interface PushOptions extends PushGroup {
  /** `replace` forgets what the group had before, `add` keeps what has other names. @default 'replace' */
  readonly mode?: 'replace' | 'add' | undefined
}

/**
 * Pushes meters to a Prometheus Pushgateway: for a batch job, which ends before anyone could scrape it.
 *
 * @throws Error when they do not arrive: the Pushgateway refuses them, does not answer in time, or is not there. RangeError
 * for a group that cannot be.
 */
export async function pushMetrics(meters: SnapshotSource, options: PushOptions): Promise<void> {
  const chunks: Uint8Array[] = []
  const address = addressOf(options)
  for await (const chunk of createScraper(meters).scrape(prometheusText)) chunks.push(chunk)
  await send(address, options.mode === 'add' ? 'POST' : 'PUT', options, Buffer.concat(chunks))
}

/**
 * Removes a group from a Pushgateway, which keeps what it was given for ever.
 *
 * @throws Error as `pushMetrics` does.
 */
export async function deletePushedMetrics(group: PushGroup): Promise<void> {
  await send(addressOf(group), 'DELETE', group, undefined)
}

async function send(
  address: string,
  method: 'PUT' | 'POST' | 'DELETE',
  { headers = {}, timeout = '5s' }: PushGroup,
  body: Uint8Array<ArrayBuffer> | undefined,
): Promise<void> {
  const response = await fetch(address, {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': prometheusText.mediaType },
    signal: AbortSignal.timeout(durationMilliseconds(timeout, 'timeout')),
    ...(body === undefined ? {} : { body }),
  })
  const answer = await response.text()
  if (response.ok) return
  throw new Error(`The Pushgateway answered ${response.status} to ${method}: ${answer.trim().slice(0, 500)}`)
}

function addressOf({ url, job, grouping = {} }: PushGroup): string {
  if (job === '') throw new RangeError('job must not be empty')
  const pairs = Object.entries({ job, ...grouping })
  const wrong = pairs.find(([label]) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label))
  if (wrong !== undefined) throw new RangeError(`grouping must have names of labels, not ${JSON.stringify(wrong[0])}`)
  const path = pairs.map(([label, value]) => `/${label}${formatValue(value)}`).join('')
  return `${url.replace(/\/+$/, '')}/metrics${path}`
}

/** What a path cannot hold as a segment goes as base64url; nothing at all as its padding alone. */
function formatValue(value: string): string {
  if (value === '') return '@base64/='
  return /^[\w~.-]+$/.test(value) && !/^\.+$/.test(value)
    ? `/${value}`
    : `@base64/${Buffer.from(value).toString('base64url')}`
}
