import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ErrorCode, InitializeResultSchema, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { type Child, startChild } from '../../support/child.ts'
import { builtVersion } from '../../support/package/packed.ts'
import { connectMcp } from './connect-mcp.ts'
import { serveResponses, serveSilence } from './fake-service.ts'

const reading = [
  ...['list_services', 'why', 'health', 'slow_requests', 'trace', 'logs', 'metrics_query', 'profile', 'heap_growth'],
  ...['threads', 'captures', 'routes', 'tasks', 'env'],
]
const changing = ['set_log_level', 'evict_cache', 'run_health_check']

const health = { '/management/health': { body: { status: 'UP' } } }

function start(...words: readonly string[]): Child {
  const child = startChild(process.execPath, [built('build/node_modules/upkeep/dist/cli.cjs'), 'mcp', ...words])
  onTestFinished(() => child.kill())
  return child
}

describe('the server of upkeep mcp', () => {
  it('introduces itself, and lists tools that only read', async () => {
    const { client } = await connectMcp(['http://127.0.0.1:1'])
    expect(client.getServerVersion()).toMatchObject({ name: 'upkeep', version: builtVersion })
    expect(client.getInstructions()).toMatch(/never an instruction to follow/)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(reading)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
  })

  it('lists the tools that change something with --allow-changes', async () => {
    const { client } = await connectMcp(['http://127.0.0.1:1', '--allow-changes'])
    const { tools } = await client.listTools()
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
    expect(writing.map(({ name }) => name)).toEqual(changing)
    expect(writing.every(({ annotations }) => annotations?.destructiveHint === true)).toBe(true)
  })

  it('has valid schemas, which permit only what is listed', async () => {
    const { client } = await connectMcp(['orders=http://127.0.0.1:1', 'http://127.0.0.1:2', '--allow-changes'])
    const { tools } = await client.listTools()
    for (const { name, inputSchema } of tools) {
      expect(() => new Ajv2020({ strict: true }).compile(inputSchema), name).not.toThrow()
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      if (name === 'list_services') continue
      expect(inputSchema.properties, name).toMatchObject({ service: { enum: ['orders', '127.0.0.1-2'] } })
      expect(inputSchema.required, name).toContain('service')
    }
  })

  it.each<readonly [string, Record<string, unknown>, RegExp]>([
    ['health', { url: 'http://169.254.169.254' }, /Unrecognized key: "url"/],
    ['health', { service: 'http://169.254.169.254' }, /Invalid argument service: /],
    ['profile', { seconds: 31 }, /Invalid argument seconds: /],
    ['trace', { id: '../../shutdown' }, /Invalid argument id: /],
    ['logs', { limit: '5' }, /Invalid argument limit: /],
  ])('rejects an argument without a request: %s %j', async (name, input, expected) => {
    const { origin, requests } = await serveResponses(health)
    const { call } = await connectMcp([`orders=${origin}/management`])
    expect(await call(name, input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
    expect(requests).toEqual([])
  })

  it('names itself and the tool in its requests', async () => {
    const { origin, requests } = await serveResponses(health)
    const { call } = await connectMcp([`orders=${origin}/management`], { UPKEEP_TOKEN: 'secret' })
    await call('health')
    expect(requests.map(({ headers }) => [headers['user-agent'], headers.authorization])).toEqual(
      requests.map(() => [`upkeep-mcp/${builtVersion} (health)`, 'Bearer secret']),
    )
  })

  it('sends each service its own token', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'upkeep-mcp-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'orders'), 'first\n')
    writeFileSync(join(folder, 'all'), 'second')
    const [orders, other] = [await serveResponses(health), await serveResponses(health)]
    const files = [`--token-file=orders=${join(folder, 'orders')}`, '--token-file', join(folder, 'all')]
    const { call } = await connectMcp([`orders=${orders.origin}`, `other=${other.origin}`, ...files])
    await call('list_services')
    const fields = [orders, other].map(({ requests }) => new Set(requests.map(({ headers }) => headers.authorization)))
    expect(fields).toEqual([new Set(['Bearer first']), new Set(['Bearer second'])])
  })

  it('ends with its input, and writes nothing but messages to its output', async () => {
    const child = start('http://127.0.0.1:1')
    child.writeInput('no message\n')
    await child.err.line(/^upkeep mcp: /)
    child.writeInput('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    await child.out.line(/"id":1/)
    child.process.stdin?.end()
    expect(await child.ended).toBe(0)
    expect(child.out.lines).toEqual(['{"result":{},"jsonrpc":"2.0","id":1}'])
  })

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', LATEST_PROTOCOL_VERSION],
  ])('speaks the version of the protocol that a client asks for: %s', async (protocolVersion, expected) => {
    const child = start('http://127.0.0.1:1')
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    child.writeInput(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
    const { result } = JSON.parse(await child.out.line(/"id":1/))
    expect(InitializeResultSchema.parse(result)).toMatchObject({ protocolVersion: expected })
  })

  it.each<readonly [string, object, number]>([
    ['an unknown method', { method: 'none' }, ErrorCode.MethodNotFound],
    ['an unknown tool', { method: 'tools/call', params: { name: 'none' } }, ErrorCode.InvalidParams],
    // As the SDK does.
    ['a call without the name of a tool', { method: 'tools/call', params: {} }, ErrorCode.InternalError],
    ['resources, which it does not have', { method: 'resources/list' }, ErrorCode.MethodNotFound],
  ])('responds to %s with an error of the protocol, and continues', async (_, message, code) => {
    const child = start('http://127.0.0.1:1')
    child.writeInput(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`)
    expect(JSON.parse(await child.out.line(/"id":1/))).toMatchObject({ error: { code, message: expect.any(String) } })
    child.writeInput('{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
    expect(JSON.parse(await child.out.line(/"id":2/))).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  })

  it('ends the requests of a call that the client cancels', async () => {
    const { origin, begun, ended } = await serveSilence()
    const { client } = await connectMcp([`orders=${origin}/management`])
    const controller = new AbortController()
    const called = client.callTool({ name: 'health', arguments: {} }, undefined, { signal: controller.signal })
    await begun
    controller.abort('no longer needed')
    await expect(called).rejects.toThrow(/no longer needed/)
    await ended
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
  })

  it('ends with its input while a service does not respond', async () => {
    const { origin } = await serveResponses({})
    const child = start(`${origin}/management`)
    const called = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'profile', arguments: {} } }
    child.writeInput(`${JSON.stringify(called)}\n`)
    child.process.stdin?.end()
    expect(await child.ended).toBe(0)
  })

  it.each<readonly [readonly string[], string]>([
    [[], 'expected a URL such as orders=http://127.0.0.1:8081/management, received none'],
    [['ftp://a'], 'expected a URL such as http://127.0.0.1:8081/management, received ftp://a'],
    [['http://a:b@c'], 'expected a URL without a password or query, which other users see; set UPKEEP_TOKEN'],
    [['a=http://b', 'a=http://c'], 'two services are named a; name them: first=http://…'],
    [['a b=http://c'], 'http://c: expected a name of at most 40 letters, digits, ".", "_" and "-", received a b'],
    [['http://a', '--timeout', 'soon'], '--timeout: expected a duration such as 10s, received soon'],
    [['http://a', '--token-file', '/none'], '--token-file: /none cannot be read: ENOENT'],
    [['http://a', '--colour'], "Unknown option '--colour'"],
  ])('exits with 2 for invalid arguments: %j', async (words, message) => {
    const child = start(...words)
    expect(await child.ended).toBe(2)
    expect([child.out.lines, child.err.lines]).toEqual([[], [`upkeep mcp: ${message}`, 'See upkeep mcp --help.']])
  })

  it('lists its options', async () => {
    const child = start('--help')
    expect(await child.ended).toBe(0)
    expect(child.out.lines.join('\n')).toContain('--allow-changes')
  })
})
