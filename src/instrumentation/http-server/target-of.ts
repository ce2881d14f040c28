import type { RequestView } from './exchange-view.ts'

/** Returns the whole target of a request. */
export function targetOf({ originalUrl, url = '' }: RequestView): string {
  return originalUrl ?? url
}
