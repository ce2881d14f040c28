import type { ReceivedRequest } from './ended-response.ts'

/** Returns the whole target of a request. */
export function targetOf({ originalUrl, url = '' }: ReceivedRequest): string {
  return originalUrl ?? url
}
