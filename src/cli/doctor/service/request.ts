/** A response whose content was read. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Content beyond this is not read. */
const maxLength = 50_000_000

/** Sends GET. Redirects are not followed. Rejects if there is no response in time. */
export async function get(
  url: string | URL,
  { authorization, timeoutMilliseconds }: RequestOptions,
): Promise<Received> {
  const response = await fetch(url, {
    headers: { Accept: 'text/plain;version=0.0.4, application/json;q=0.9, */*;q=0.1', ...credentials(authorization) },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxLength) break
  }
  return { status: response.status, headers: response.headers, text }
}

interface RequestOptions {
  /** The header field. */
  readonly authorization?: string | undefined
  readonly timeoutMilliseconds: number
}

function credentials(authorization: string | undefined) {
  return authorization === undefined ? {} : { Authorization: authorization }
}

/** Returns the message of an error of `fetch`, which is in its cause. */
export function failureText(error: unknown): string {
  const { message, cause } = error as { readonly message?: string; readonly cause?: NodeJS.ErrnoException }
  return cause?.message || cause?.code || message || String(error)
}
