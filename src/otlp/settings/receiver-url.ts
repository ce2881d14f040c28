import { redactPath } from '../../base/redact-path.ts'

/** Whether a text is the address of something that speaks HTTP. */
export function isReceiverUrl(text: string): boolean {
  return /^https?:\/\/./i.test(text) && URL.canParse(text)
}

/** Returns an address as it may be reported: without name, password, query and what in its path could be a secret. */
export function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + redactPath(pathname)
}

/** Returns what to do about a receiver that has nothing at an address, where that lacks the path of its signal; else nothing. */
export function urlHint(text: string, path: string): string {
  const { pathname } = new URL(text)
  if (pathname.replace(/\/+$/, '').endsWith(`/${path}`)) return ''
  return `; the URL of a signal is used as it stands: did you mean ${shownUrl(urlBelow(text, path))}?`
}

/** The address of one signal below that of a receiver of all. OTLP exporter specification, "Endpoint URLs for OTLP/HTTP". */
export function urlBelow(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}
