import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { attach, watchEnd } from '../../../src/instrumentation/http-server/observed-request.ts'
import type { RequestObserver } from '../../../src/instrumentation/http-server/request-record.ts'

function observedResponses(count: number) {
  const socket = new Socket()
  onTestFinished(() => void socket.destroy())
  const ended: unknown[] = []
  const observer: RequestObserver = {
    end: (_request, response) => void ended.push(response),
    disregard: () => {},
    redactedPath: (_request, path) => path,
  }
  const responses = Array.from({ length: count }, () => new ServerResponse(new IncomingMessage(socket)))
  for (const response of responses) {
    const request = attach(observer, response, 0, undefined, () => undefined)
    if (request !== undefined) watchEnd(request, response)
  }
  const waiting: ReadonlyMap<ServerResponse, unknown> = Reflect.get(socket, Symbol.for('upkeep.waiting'))
  return { socket, responses, waiting, ended }
}

it('a connection keeps none of its responses that were closed', () => {
  const { socket, responses, waiting, ended } = observedResponses(3)
  expect([...waiting.keys()]).toEqual(responses)
  responses[1]?.emit('close')
  expect([...waiting.keys()]).toEqual([responses[0], responses[2]])
  expect(ended).toEqual([responses[1]])
  socket.emit('close')
  expect(ended).toEqual([responses[1], responses[0], responses[2]])
  expect(waiting.size).toBe(0)
})

it('a response has one listener to its end', () => {
  const [response] = observedResponses(1).responses
  expect(response?.listenerCount('close')).toBe(1)
})
