import { expect, it } from 'vitest'
import { recordSpans } from '../../../support/record-spans.ts'
import { createTestDatabase, describePostgres } from '../support/describe-postgres.ts'
import { sendRequest } from '../support/http-client.ts'
import { openPrepared } from '../support/open-prepared.ts'
import { useApp } from '../support/use-app.ts'

const spans = recordSpans()

describePostgres((server) => {
  const app = useApp({
    open: async () => openPrepared({ dataDir: '.', databaseUrl: await createTestDatabase(server()) }),
  })
  const post = () => sendRequest(app().origin, { path: `/hooks/${app().key}`, body: '{"text":"zqzq"}' })
  const get = (path: string) => sendRequest(app().origin, { method: 'GET', path: `/management/${path}` })

  it('registers meters of its connections', async () => {
    expect((await post()).body).toBe('ok')
    const { body } = await get('prometheus')
    expect(body).toMatch(/^hikaricp_connections_max\{pool="database"\} 10$/m)
    expect(body).toMatch(/^hikaricp_connections_idle\{pool="database"\} [1-9]$/m)
    expect(body).toMatch(/^hikaricp_connections_acquire_seconds_count\{pool="database"\} [1-9]\d*$/m)
    expect(body).toMatch(/^hikaricp_connections_timeout_total\{pool="database"\} 0$/m)
  })

  it('traces the query of a message below the span of the request, without the message', async () => {
    expect((await post()).body).toBe('ok')
    await expect.poll(spans.tree).toEqual(['server POST /hooks/:key', '  client INSERT messages'])
    expect(JSON.stringify(spans.all().map(({ attributes }) => attributes))).not.toContain('zqzq')
  })

  it('does not trace the health check', async () => {
    expect((await get('health')).status).toBe(200)
    expect(spans.tree()).toEqual([])
  })
})
