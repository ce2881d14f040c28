import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRunningServers, running as servers } from '../../support/describe-running-servers.ts'
import { createRawClient } from '../../support/raw-client.ts'
import { usePostgresDatabase } from '../../support/use-database.ts'
import { type Recorded, type RunningApplication, startApplication } from './application.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }

await describeRunningServers([servers.postgres], () => {
  const { database } = usePostgresDatabase()

  describe('clients of an application', () => {
    let running: RunningApplication
    let recorded: Recorded
    let body: string

    beforeAll(async () => {
      running = await startApplication('clients', { form: 'esm', env: { TEST_DATABASE: database } })
      body = (await createRawClient(running.port)({ target: '/', headers })).body
      recorded = await running.recorded(({ counts, spans }) => counts.length > 0 && spans.length >= 8)
    })
    afterAll(() => running?.end())

    it('are timed: queries of pg, fetch and node:http', () => {
      const query = (error: string) => `none ${error} ${database} SELECT 127.0.0.1 postgresql`
      expect(recorded.queries).toEqual([query('none'), query('error')])
      expect(recorded.calls).toEqual(['127.0.0.1 none none GET SUCCESS 200 none'])
      expect(recorded.reports).toEqual([])
    })

    it('are traced below their request, which is current in the callback of a query', () => {
      expect(body).toBe(`1 ${traceId} 42703`)
      const ofRequest = recorded.spans.filter((span) => span.traceId === traceId)
      expect(ofRequest.map(({ name }) => name).sort()).toEqual([...Array(5).fill('GET'), ...Array(3).fill('SELECT')])
    })

    it('that cannot be observed are named', () => {
      expect(recorded).toMatchObject({ found: ['pg'], unseen: ['amqplib'] })
    })
  })
})
