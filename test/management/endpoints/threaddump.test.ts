import { once } from 'node:events'
import { createServer } from 'node:http'
import { Worker } from 'node:worker_threads'
import { bearerToken, createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { createResources } from 'upkeep/rest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

const target = '/management/threaddump'
const headers = { authorization: 'Bearer let-me-in' }
const canary = 'canary-7f3a91'

async function start() {
  const management = createManagement({ expose: ['threaddump'], authorize: bearerToken('let-me-in') })
  const server = createServer(manage(management))
  const port = await listenOn(server)
  onTestFinished(() => {
    management.close()
    server.close()
  })
  return { management, send: createRawClient(port) }
}

/** Starts a worker thread; resolves when its program has called `ready()`. */
async function startWorker(program: string, name: string): Promise<Worker> {
  const ready = "globalThis.ready = () => require('node:worker_threads').parentPort.postMessage('ready')"
  const worker = new Worker(`${ready}; ${program}`, { eval: true, name, argv: [canary], env: { SECRET: canary } })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'message')
  return worker
}

const startBurner = () => startWorker('function burn() { ready(); for (;;); }; burn()', 'burner')

describe('GET threaddump', () => {
  it('has the members of Spring Boot Actuator that Node knows, and the active resources', async () => {
    const { send } = await start()
    const worker = await startBurner()
    const response = await send({ target, headers })
    expect(response).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
    const { threads, activeResources } = JSON.parse(response.body)
    expect(threads[0]).toMatchObject({ threadId: 0, threadName: 'main' })
    const { stackTrace, ...thread } = threads.at(-1)
    expect(thread).toEqual({
      ...{ threadId: worker.threadId, threadName: `worker ${worker.threadId} burner`, threadState: 'RUNNABLE' },
      ...{ inNative: false, suspended: false, blockedCount: -1, blockedTime: -1, waitedCount: -1, waitedTime: -1 },
      ...{ lockOwnerId: -1, lockedMonitors: [], lockedSynchronizers: [] },
    })
    expect(stackTrace[0]).toEqual({
      ...{ className: '[worker eval]', methodName: 'burn', fileName: '[worker eval]', lineNumber: 1 },
      ...{ columnNumber: expect.any(Number), nativeMethod: false },
    })
    expect(stackTrace[1]).toMatchObject({ methodName: '<anonymous>' })
    expect(stackTrace.at(-1)).toMatchObject({ className: expect.stringMatching(/^node:/) })
    expect(activeResources).toMatchObject({ TCPServerWrap: expect.any(Number) })
  })

  it('has the same ids in each dump, and no thread of its own', async () => {
    const { send } = await start()
    const { performance } = await startWorker('setInterval(() => {}, 100_000); ready()', 'idler')
    // It waits for events.
    await expect.poll(() => performance.eventLoopUtilization().idle).toBeGreaterThan(0)
    const read = async () => JSON.parse((await send({ target, headers })).body).threads
    const idsOf = (threads: { threadId: number }[]) => threads.map(({ threadId }) => threadId)
    const first = await read()
    expect(idsOf(await read())).toEqual(idsOf(first))
    expect(first.map(({ threadName }: { threadName: string }) => threadName.replace(/\d+/, 'n'))).toEqual([
      'main',
      'worker n idler',
    ])
    expect(first[1]).toMatchObject({ threadState: 'WAITING', stackTrace: [] })
  })

  it('is text on request, one paragraph for each thread', async () => {
    const { send } = await start()
    const { threadId } = await startBurner()
    const response = await send({ target, headers: { ...headers, accept: 'text/plain' } })
    expect(response.headers['content-type']).toBe('text/plain;charset=UTF-8')
    const paragraphs = response.body.split('\n\n')
    expect(paragraphs[0]).toMatch(
      /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\nFull thread dump Node\.js \d+\.\d+\.\d+ \(V8 .*\):$/,
    )
    expect(paragraphs[1]).toMatch(/^"main" - Thread t@0\n {3}java\.lang\.Thread\.State: (RUNNABLE|WAITING \(idle\))/)
    expect(paragraphs[2]).toMatch(
      new RegExp(
        `^"worker ${threadId} burner" - Thread t@${threadId}\n` +
          '   java.lang.Thread.State: RUNNABLE\n\tat burn \\(.*:1:\\d+\\)\n',
      ),
    )
    expect(paragraphs.at(-1)).toMatch(/^Active resources of the main thread:\n(\t- \d+ \w+\n)+$/)
  })

  it('names the available types in a 406, JSON first', async () => {
    const { send } = await start()
    const { status, body } = await send({ target, headers: { ...headers, accept: 'image/png' } })
    expect(status).toBe(406)
    expect(JSON.parse(body).detail).toBe(
      'Not acceptable; available as application/json or application/vnd.spring-boot.actuator.v3+json or ' +
        'application/vnd.spring-boot.actuator.v2+json or text/plain;charset=UTF-8.',
    )
  })

  it('contains no argument, environment, header or query', async () => {
    const { send } = await start()
    await startWorker(
      `const url = 'https://me:${canary}@host/a.js?token=${canary}#${canary}'
       const script = 'function spin() { ready(); for (;;); }\\nspin()\\n//# sourceURL=' + url
      require('node:vm').runInThisContext(script)`,
      'spinner',
    )
    for (const accept of ['application/json', 'text/plain']) {
      const { body } = await send({
        target: `${target}?q=${canary}`,
        headers: { ...headers, accept, 'x-secret': canary },
      })
      expect(body).toContain('https://host/a.js')
      expect(body).not.toContain(canary)
      expect(body).not.toContain('let-me-in')
    }
  })

  it('requires an authorized caller', async () => {
    const { send } = await start()
    expect(await send({ target })).toMatchObject({ status: 401 })
    expect(() => createManagement({ expose: ['threaddump'] })).toThrow(
      'createManagement: the endpoint "threaddump" requires the option "authorize"',
    )
  })

  it('is described in OpenAPI', async () => {
    const { management } = await start()
    const { paths } = createResources({
      resources: [],
      description: { title: 'Orders', version: '1', management },
    }).describe() as { paths: Record<string, Record<string, { responses: object; security: unknown }>> }
    expect(Object.keys(paths[target]?.['get']?.responses ?? {})).toEqual(expect.arrayContaining(['200', '501']))
    expect(paths[target]?.['get']?.security).toEqual([{ credentials: [] }])
  })
})
