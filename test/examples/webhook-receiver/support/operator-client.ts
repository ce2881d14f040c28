import type { OutgoingHttpHeaders } from 'node:http'
import { ask, json, type Reply } from './http-client.ts'

export interface Told extends Reply {
  /** The JSON of the body. */
  // biome-ignore lint/suspicious/noExplicitAny: what is told is looked at by the test
  readonly told: any
}

/** What an operator asks, with the token. */
export async function operate(
  origin: string,
  method: string,
  path: string,
  body?: unknown,
  headers: OutgoingHttpHeaders = {},
): Promise<Told> {
  const reply = await ask(origin, {
    method,
    path,
    headers: { Authorization: 'Bearer a-token', ...(body !== undefined && json), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const isJson = /json/.test(reply.headers['content-type'] ?? '') && reply.body !== ''
  return { ...reply, told: isJson ? JSON.parse(reply.body) : undefined }
}
