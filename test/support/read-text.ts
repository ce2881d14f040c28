/** Returns a streamed page as text; throws where it is not UTF-8. */
export async function pageText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(all))
}
