import { type Agent, createServer, request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { createReceiverAgent, officialSender } from '../../../src/otlp/official/official-sender.ts'
import { deferred } from '../../support/deferred.ts'
import { listenOn } from '../../support/listen.ts'

async function startServer(status = 200) {
  let count = 0
  const server = createServer((_req, res) => {
    count += 1
    res.writeHead(status).end()
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, requests: () => count }
}

/** Sends a request, and returns the status of its response, or its error. */
function send(port: number, agent: Agent): Promise<unknown> {
  const { promise, resolve } = deferred<unknown>()
  const sent = request({ port, host: '127.0.0.1', agent }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  sent.on('error', resolve).end()
  return promise
}

function createAgent() {
  const agent = createReceiverAgent({ keepAlive: true }, systemClock)
  onTestFinished(agent.abort)
  agent.begin(60_000)
  return agent
}

describe('the agent of a receiver', () => {
  it.each([
    [200, 200],
    [400, 400],
    [503, 599],
    [429, 599],
  ])('tells the status %i, and the exporter a status that it does not retry: %i', async (status, final) => {
    const { port } = await startServer(status)
    const agent = createAgent()
    expect(await send(port, agent.create('http:'))).toBe(final)
    expect(agent.attempt).toMatchObject({ status, errorCode: undefined })
  })

  it('cancels a request that begins after the end, before it is sent', async () => {
    const { port, requests } = await startServer()
    const agent = createAgent()
    agent.abort()
    expect(agent.attempt.errorCode).toBe('ABORTED')
    agent.begin(60_000)
    expect(await send(port, agent.create('http:'))).toMatchObject({ message: 'The export was cancelled' })
    expect(agent.attempt).toMatchObject({ status: undefined, errorCode: 'UPKEEP_EDELIVERY' })
    expect(requests()).toBe(0)
  })

  it('hides the code of an error from the exporter, which would retry', async () => {
    const agent = createAgent()
    const error = await send(1, agent.create('http:'))
    expect(error).toMatchObject({ code: undefined })
    expect(agent.attempt).toMatchObject({ status: undefined, errorCode: 'ECONNREFUSED' })
  })
})

describe('the outcome of an export', () => {
  type Done = (result: { readonly code: number; readonly error?: Error }) => void
  const outcomeOf = (exportItems: (items: string, done: Done) => void) =>
    officialSender({ export: exportItems }, createAgent()).send('items', 60_000)

  it('is a success if the exporter has succeeded without a response', async () => {
    expect(await outcomeOf((_, done) => done({ code: 0 }))).toMatchObject({ status: 200, cause: undefined })
  })

  it('is the error of the exporter, whether it is passed or thrown', async () => {
    const error = new Error('malformed')
    const throwing = () => {
      throw error
    }
    expect(await outcomeOf((_, done) => done({ code: 1, error }))).toMatchObject({ status: undefined, cause: error })
    expect(await outcomeOf(throwing)).toMatchObject({ status: undefined, cause: error })
  })
})
