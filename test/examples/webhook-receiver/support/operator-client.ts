import type { OutgoingHttpHeaders } from 'node:http'
import { type HttpResponse, json, sendRequest } from './http-client.ts'

export interface OperatorResponse extends HttpResponse {
  /** The JSON of the body. */
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the shape
  readonly content: any
}

/** Sends a request with the operator token. */
export async function operate(
  origin: string,
  method: string,
  path: string,
  body?: unknown,
  headers: OutgoingHttpHeaders = {},
): Promise<OperatorResponse> {
  const reply = await sendRequest(origin, {
    method,
    path,
    headers: { Authorization: 'Bearer a-token', ...(body !== undefined && json), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const isJson = /json/.test(reply.headers['content-type'] ?? '') && reply.body !== ''
  return { ...reply, content: isJson ? JSON.parse(reply.body) : undefined }
}
