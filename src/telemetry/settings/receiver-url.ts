/** Whether a text is the address of something that speaks HTTP. */
export function isReceiverUrl(text: string): boolean {
  return /^https?:\/\/./i.test(text) && URL.canParse(text)
}

/** The address of one signal below that of a receiver of all. OTLP exporter specification, "Endpoint URLs for OTLP/HTTP". */
export function urlBelow(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}
