import { expect, it } from 'vitest'
import { expectErrorDocument } from './support/expect-error-document.ts'
import { useFreshFolders } from './support/fresh-folder.ts'
import { post, sendRequest } from './support/http-client.ts'
import { openPrepared } from './support/open-prepared.ts'
import { serveApp } from './support/serve-app.ts'

const freshFolder = useFreshFolders()

it('a receiver whose PGlite is closed refuses messages with 503, is alive but not ready, and responds', async () => {
  const database = await openPrepared({ dataDir: await freshFolder(), databaseUrl: undefined })
  const app = await serveApp(database)
  await database.close()

  for (let time = 0; time < 2; time++) {
    const reply = await post(app.origin, app.key, 'a')
    expectErrorDocument(reply, 503)
    expect(reply.headers['retry-after']).toBe('5')
  }
  const statusOf = async (path: string) =>
    (await sendRequest(app.origin, { method: 'GET', path: `/management/health${path}` })).status
  expect(await statusOf('')).toBe(503)
  expect(await statusOf('/readiness')).toBe(503)
  expect(await statusOf('/liveness')).toBe(200)
  expect(app.reports.filter((report) => report.startsWith('POST /hooks/'))).toHaveLength(2)
  await app.stop()
})
