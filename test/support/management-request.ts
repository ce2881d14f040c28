import type { ManagementRequest, MessageHeaders } from 'upkeep/adapter'

/** Returns a GET of the health endpoint with these header fields. */
export function requestWith(headers: MessageHeaders): ManagementRequest {
  return {
    method: 'GET',
    target: '/management/health',
    headers,
    body: () => ({ kind: 'parsed', value: undefined }),
    base: '',
  }
}
