import { kindOf } from '../base/callback.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { argumentOutOfRange, failure, invalidArgument } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import { prometheusText } from './exposition/text-format.ts'
import { createScraper } from './scraper.ts'

/** A group of metrics in a Pushgateway. */
export interface PushGroup {
  /** The address of the Pushgateway, such as `http://pushgateway:9091`. */
  readonly url: string
  readonly job: string
  /** Further labels that identify the group, such as `{ instance: 'eu-1' }`. @default {} */
  readonly grouping?: Readonly<Record<string, string>> | undefined
  /** Request headers, for example `{ Authorization: 'Bearer …' }`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The timeout of the request. @default '5s' */
  readonly timeout?: Duration | undefined
}

/** Options of `pushMetrics`: the group, and whether all of it is replaced. */
export interface PushOptions extends PushGroup {
  /** Whether all metrics of the group are replaced, or only those with the same names. @default 'replace' */
  readonly mode?: 'replace' | 'add' | undefined
}

const groupOptions = ['url', 'job', 'grouping', 'headers', 'timeout'] as const satisfies readonly (keyof PushGroup)[]

/** What others call these options. */
const foreignNames: ForeignNames = {
  endpoint: 'url',
  gateway: 'url',
  host: 'url',
  jobName: 'job',
  name: 'job',
  labels: 'grouping',
  groupingKey: 'grouping',
  instance: 'write grouping: { instance }',
  token: 'write headers: { Authorization: "Bearer …" }',
  method: 'mode',
}

/**
 * Pushes meters to a Prometheus Pushgateway, for a batch job that ends before it could be scraped.
 *
 * @throws Error if the Pushgateway refuses them, does not respond within the timeout, or cannot be reached; its `cause`
 * is the reason. TypeError or RangeError if an option is invalid.
 */
export async function pushMetrics(meters: SnapshotSource, options: PushOptions): Promise<void> {
  requireKnownOptions('pushMetrics', options, [...groupOptions, 'mode'], { foreignNames })
  const chunks: Uint8Array[] = []
  const address = addressOf(options)
  const { mode = 'replace' } = options
  if (mode !== 'replace' && mode !== 'add')
    throw argumentOutOfRange(`mode: expected "replace" or "add", received ${JSON.stringify(mode)}`)
  for await (const chunk of createScraper(meters).scrape(prometheusText)) chunks.push(chunk)
  await send(address, mode === 'add' ? 'POST' : 'PUT', options, Buffer.concat(chunks))
}

/**
 * Removes a group from a Pushgateway, which otherwise stores it indefinitely.
 *
 * @throws Error as `pushMetrics` does.
 */
export async function deletePushedMetrics(group: PushGroup): Promise<void> {
  requireKnownOptions('deletePushedMetrics', group, groupOptions, { foreignNames })
  await send(addressOf(group), 'DELETE', group, undefined)
}

async function send(
  address: URL,
  method: 'PUT' | 'POST' | 'DELETE',
  { headers = {}, timeout = '5s' }: PushGroup,
  body: Uint8Array<ArrayBuffer> | undefined,
): Promise<void> {
  const limit = durationMilliseconds(timeout, 'timeout')
  const request = {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': prometheusText.mediaType },
    signal: AbortSignal.timeout(limit),
    ...(body === undefined ? {} : { body }),
  }
  const { status, ok, text } = await fetchText(address, request).catch((cause: unknown) => {
    if (request.signal.aborted) {
      throw failure('UPKEEP_EDELIVERY', `Pushgateway ${address.origin}: no response within ${timeout}`, { cause })
    }
    throw failure('UPKEEP_EDELIVERY', `Pushgateway ${address.origin}: request failed: ${reasonOf(cause)}`, { cause })
  })
  if (!ok)
    throw failure(
      'UPKEEP_EDELIVERY',
      `Pushgateway ${address.origin}: ${method} was refused with ${status}: ${text.trim().slice(0, 500)}`,
    )
}

async function fetchText(address: URL, request: RequestInit) {
  const response = await fetch(address, request)
  return { status: response.status, ok: response.ok, text: await response.text() }
}

/** The error of `fetch` has the reason as its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}

function addressOf({ url, job, grouping = {} }: PushGroup): URL {
  if (typeof job !== 'string') throw invalidArgument(`job: expected a string, received ${kindOf(job)}`)
  if (job === '') throw argumentOutOfRange('job: expected a non-empty string, received ""')
  const labels = Object.entries(grouping)
  for (const [label, value] of labels) {
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) || label === 'job') {
      throw argumentOutOfRange(`grouping: expected label names other than job, received ${JSON.stringify(label)}`)
    }
    if (typeof value !== 'string')
      throw invalidArgument(`grouping.${label}: expected a string, received ${kindOf(value)}`)
  }
  const path = [['job', job] as const, ...labels].map(([label, value]) => `/${label}${formatValue(value)}`).join('')
  return baseOf(url, `/metrics${path}`)
}

function baseOf(url: string, path: string): URL {
  const address = URL.canParse(url) ? new URL(`${url.replace(/\/+$/, '')}${path}`) : undefined
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    throw argumentOutOfRange(
      `url: expected an address such as http://pushgateway:9091, received ${JSON.stringify(url)}`,
    )
  }
  // `fetch` rejects credentials; the message must not include them.
  if (address.username !== '' || address.password !== '') {
    throw argumentOutOfRange('url: expected no user name and password; use headers with an Authorization instead')
  }
  return address
}

/** Formats a label value as the end of a path segment: as base64url if necessary. An empty value is `@base64/=`. */
function formatValue(value: string): string {
  if (value === '') return '@base64/='
  return /^[\w~.-]+$/.test(value) && !/^\.+$/.test(value)
    ? `/${value}`
    : `@base64/${Buffer.from(value).toString('base64url')}`
}
