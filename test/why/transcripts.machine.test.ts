import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectedMcp, connectMcp, dataOf } from '../cli/mcp/connect-mcp.ts'
import { type Bundled, bundleServices } from './bundle-services.ts'
import { delay, type Incident } from './incident.ts'
import { incident as exhaustedPool } from './incidents/exhausted-pool.ts'
import { incident as leak } from './incidents/leak.ts'
import { incident as slowQuery } from './incidents/slow-query.ts'
import { duringIncident, type Service } from './run-incident.ts'

interface Call {
  readonly tool: string
  readonly input: object
  readonly answer: string
}

/** What an agent asks one after another, each by what it has read. */
interface Conversation {
  readonly name: string
  readonly incident: Incident
  readonly ask: (call: ConnectedMcp['call'], service: Service) => Promise<void>
  /** What the last answer must show. */
  readonly cause: RegExp
}

const conversations: readonly Conversation[] = [
  {
    name: 'slow-query',
    incident: slowQuery,
    async ask(call) {
      await call('list_services')
      await call('why')
      const { text } = await call('slow_requests')
      const [, id] = /^(\d+) .*\/orders/m.exec(dataOf(text)) ?? []
      await call('trace', { id })
    },
    cause: /SELECT orders.*1\d\d ms/,
  },
  {
    name: 'exhausted-pool',
    incident: exhaustedPool,
    async ask(call) {
      await call('why')
      await call('metrics_query', { name: 'hikaricp.connections.pending' })
      await call('metrics_query', { name: 'hikaricp.connections.acquire' })
    },
    cause: /hikaricp\.connections\.acquire/,
  },
  {
    name: 'leak',
    incident: leak,
    async ask(call, { load }) {
      await call('why')
      const measuring = { goesOn: true }
      const requests = async () => {
        for (let sent = 0; measuring.goesOn && sent < 100; sent += 1) await Promise.all([load(1), delay(100)])
      }
      const growth = call('heap_growth', { seconds: 2 }).finally(() => {
        measuring.goesOn = false
      })
      await Promise.all([growth, requests()])
    },
    cause: /leak/,
  },
]

const transcripts: { readonly name: string; readonly title: string; readonly calls: readonly Call[] }[] = []
const fileOf = (name: string) => join(import.meta.dirname, 'incidents', `${name}.ts`)
let bundled: Bundled
beforeAll(async () => {
  bundled = await bundleServices(
    conversations.map(({ name }) => fileOf(name)),
    { isPacked: true },
  )
})
afterAll(() => {
  bundled.remove()
  mkdirSync('build', { recursive: true })
  writeFileSync('build/agent-transcripts.json', JSON.stringify(transcripts, undefined, 1))
})

/** `scripts/why-table.mjs` writes the calls into docs/guides/agents.md. */
describe('an agent finds the cause by the tools of upkeep mcp', () => {
  it.each(conversations)('$name', async ({ name, incident, ask, cause }) => {
    const calls: Call[] = []
    await duringIncident(incident, bundled.programs.get(fileOf(name)) ?? '', async (service) => {
      const url = `orders=http://127.0.0.1:${service.port}/management`
      const { call, client } = await connectMcp([url], { UPKEEP_TOKEN: 'let-me-in' })
      const recorded: ConnectedMcp['call'] = async (tool, input = {}) => {
        const result = await call(tool, input)
        expect(result, tool).toMatchObject({ isError: false })
        calls.push({ tool, input, answer: dataOf(result.text) })
        return result
      }
      await ask(recorded, service)
      await client.close()
    })
    transcripts.push({ name, title: incident.title, calls })
    expect(calls.find(({ tool }) => tool === 'why')?.answer).toMatch(incident.expected?.text ?? /never/)
    expect(calls.at(-1)?.answer).toMatch(cause)
  })
})
