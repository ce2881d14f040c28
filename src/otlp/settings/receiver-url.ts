import { redactPath } from '../../base/redact-path.ts'

/** Whether a string is an HTTP or HTTPS URL. */
export function isReceiverUrl(text: string): boolean {
  return /^https?:\/\/./i.test(text) && URL.canParse(text)
}

/** Returns a URL for reports: without user, password, query and possible secrets in the path. */
export function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + redactPath(pathname)
}

/** Returns the hint for a receiver that responds with 404 or 405, if its URL lacks the path of the signal. */
export function urlHint(text: string, path: string): (status: number) => string {
  const { pathname } = new URL(text)
  if (pathname.replace(/\/+$/, '').endsWith(`/${path}`)) return () => ''
  const hint = `; the URL of a signal is used unchanged: did you mean ${shownUrl(urlBelow(text, path))}?`
  return (status) => (status === 404 || status === 405 ? hint : '')
}

/** Returns the URL of one signal below a base URL. OTLP exporter specification, "Endpoint URLs for OTLP/HTTP". */
export function urlBelow(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}
