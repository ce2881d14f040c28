import type { Management } from 'upkeep'
import { requestWith } from './management-request.ts'
import { readText } from './read-text.ts'

export const openMetrics = 'application/openmetrics-text;version=1.0.0'

/** A whole page of the scrape, and the media type that it has. */
export async function scrape(
  management: Management,
  { accept = '*/*', query = '' } = {},
): Promise<{ readonly text: string; readonly mediaType: string | undefined }> {
  const response = await management({
    ...requestWith({ accept }),
    target: `/management/prometheus${query}`,
  })
  if (response?.status !== 200) throw new Error(`the scrape was answered with ${response?.status}`)
  const mediaType = response.headers['Content-Type']
  return { text: await readText(response.body as AsyncIterable<Uint8Array>), mediaType: mediaType?.toString() }
}
