import type { ManagementRequest, MessageHeaders } from 'upkeep/adapter'
import type { Resources } from 'upkeep/rest'
import type { Answer } from './raw-client.ts'

export interface ResourceRequest {
  readonly method?: string
  readonly headers?: MessageHeaders
  readonly body?: string | Uint8Array
  readonly base?: string
}

/** Asks resources without a server; fails when they pass the request on. */
export function askResources(resources: Resources) {
  return async (
    target: string,
    { method = 'GET', headers = {}, body, base = '' }: ResourceRequest = {},
  ): Promise<Answer> => {
    const bytes = Buffer.from(body ?? '')
    const request: ManagementRequest = {
      method,
      target,
      headers,
      base,
      body: () => ({ kind: 'bytes', bytes: arriving(bytes) }),
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

async function* arriving(bytes: Uint8Array) {
  yield bytes
}
