import { expect } from 'vitest'
import type { Child } from '../../support/child.ts'

export const token = 's3cret'

/** What the management of an application shows. */
interface Shown {
  readonly counts: Readonly<Record<string, number>>
  /** What is discovered, in the order of names. */
  readonly components: readonly string[]
}

const discovered = ['db', 'diskSpace', 'mongo', 'rabbit', 'redis']

/**
 * The management responds while the application runs, has discovered what that is connected with, and has counted its
 * requests by their routes.
 */
export async function checkManagement(child: Child, port: number, { counts, components }: Shown): Promise<void> {
  await child.err.line(/: health at /)
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const health = await get('/management/health')
  const report = (await health.json()) as Report
  expect([health.status, report]).toMatchObject([200, { status: 'UP' }])
  const found = Object.entries(report.components).filter(([name]) => discovered.includes(name))
  expect(found.map(([name, { status }]) => `${name} ${status}`)).toEqual(components.map((name) => `${name} UP`))
  const counted = async () => countsIn(await (await get('/management/prometheus')).text())
  await expect.poll(counted).toEqual(counts)
}

interface Report {
  readonly components: Readonly<Record<string, { readonly status: string }>>
}

/** Returns the counts of requests in a scrape by route and status. */
function countsIn(scrape: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [, tags = '', count] of scrape.matchAll(/^http_server_requests_seconds_count\{(.*)\} (\d+)$/gm)) {
    const value = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tags)?.[1]
    const key = `${value('uri')} ${value('status')}`
    counts[key] = (counts[key] ?? 0) + Number(count)
  }
  return counts
}
