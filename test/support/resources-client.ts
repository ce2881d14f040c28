import type { ManagementRequest, MessageHeaders } from 'upkeep/adapter'
import type { Resources } from 'upkeep/rest'
import type { RawResponse } from './raw-client.ts'

export interface ResourceRequest {
  readonly method?: string
  readonly headers?: MessageHeaders
  readonly body?: string | Uint8Array
  readonly base?: string
}

/** Returns a client that calls resources without a server. Rejects when they pass the request to the next handler. */
export function createResourcesClient(resources: Resources) {
  return async (
    target: string,
    { method = 'GET', headers = {}, body, base = '' }: ResourceRequest = {},
  ): Promise<RawResponse> => {
    const bytes = Buffer.from(body ?? '')
    const request: ManagementRequest = {
      method,
      target,
      headers,
      base,
      body: () => ({ kind: 'bytes', bytes: chunksOf(bytes) }),
    }
    const response = await resources(request)
    if (response === undefined) throw new Error(`${target} was passed on`)
    const content = Buffer.from((response.body ?? '') as string)
    return {
      status: response.status,
      headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value])),
      body: content.toString(),
      bytes: content,
    }
  }
}

async function* chunksOf(bytes: Uint8Array) {
  yield bytes
}
