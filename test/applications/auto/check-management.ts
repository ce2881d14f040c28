import { expect } from 'vitest'
import type { Child } from '../../support/child.ts'

export const token = 's3cret'

/** The management responds while the application runs, and has counted its requests by their routes. */
export async function checkManagement(
  child: Child,
  port: number,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  await child.err.line(/: health at /)
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const health = await get('/management/health')
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'UP' }])
  const counted = async () => countsIn(await (await get('/management/prometheus')).text())
  await expect.poll(counted, { timeout: 10_000 }).toEqual(counts)
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
