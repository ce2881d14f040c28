import { gunzipSync } from 'node:zlib'
import type { ManagementResponse } from 'upkeep/adapter'

/** Reads the content of a response. */
export async function bytesOf({ body }: ManagementResponse): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0)
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads the content of a response as a string, decompressed for `Content-Encoding: gzip`. */
export async function textOf(response: ManagementResponse): Promise<string> {
  const bytes = await bytesOf(response)
  return (response.headers['Content-Encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}
