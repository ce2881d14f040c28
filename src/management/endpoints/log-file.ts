import { openLogFile } from '../log-file/log-file.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { stringSchema } from './json-representation.ts'

const mediaType = 'text/plain; charset=UTF-8'

/** `logfile`: one file, or the part of it that the field `Range` selects. */
export function logFileEndpoint(path: string): Endpoint {
  const get = async () => {
    const { content, lastModified } = await openLogFile(path)
    return {
      offers: [{ mediaType, render: () => content }],
      caching: 'no-cache',
      lastModified,
      // What a client has written into a log must not become a page.
      headers: { 'X-Content-Type-Options': 'nosniff' },
    } as const
  }
  return { id: 'logfile', routes: [{ path: 'logfile', resource: { access: 'authorized', get } }], describe }
}

function describe(): EndpointDescription {
  const [whole, part] = ['The log file.', 'The part of the log file that the field Range selects.']
  const content = [{ mediaType, schema: stringSchema }]
  const headers = { 'Content-Range': 'The part, and the size of the file.' }
  const responses = [
    { status: 200, description: whole, content },
    { status: 206, description: part, content, headers },
  ]
  return { logfile: { GET: { summary: whole, responses } } }
}
