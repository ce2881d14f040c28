import { HttpError } from '../../http/errors/http-error.ts'
import { offerJson, type Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Route } from '../../http/router.ts'
import type { CaptureReadInput, RunOperation } from '../diagnostics/diagnostic-operation.ts'
import { parseFormat } from '../profile/profile-query.ts'
import { encodedProfile } from '../profile/profile-routes.ts'
import type { Capture } from './capture.ts'

/** Returns the routes of `captures`: for the management, and for the port of the watchdog. */
export function captureRoutes(run: RunOperation): readonly Route[] {
  const getAll = async ({ signal }: Call): Promise<Representation> => {
    const output = await run('captures', {}, signal)
    return { offers: offerJson(output, ['application/json']), caching: 'no-store' }
  }
  const getOne = async (call: Call): Promise<Representation | undefined> => {
    const [id] = call.variables
    const { captures } = await run('captures', {}, call.signal)
    const capture = captures.find((each) => each.id === id)
    if (capture === undefined) return undefined
    return capture.type === 'report' ? reportOf(run, capture, call) : profileOf(run, capture, capture.type, call)
  }
  return [
    { path: 'captures', resource: { access: 'authorized', refusesCrossSiteReads: true, get: getAll } },
    { path: 'captures/{id}', resource: { access: 'authorized', refusesCrossSiteReads: true, get: getOne } },
  ]
}

function profileOf(run: RunOperation, { id }: Capture, type: 'wall' | 'heap', { query, signal }: Call): Representation {
  const format = parseFormat(query)
  return encodedProfile({ type, format }, id, (nonce) => readContent(run, { id, format, nonce }, signal))
}

function reportOf(run: RunOperation, { id }: Capture, { query, signal }: Call): Representation {
  if (query.has('format')) {
    throw new HttpError(400, 'format: expected none, because this capture is a report and not a profile.')
  }
  async function* content(): AsyncGenerator<Uint8Array> {
    yield await readContent(run, { id, format: 'cpuprofile', nonce: '' }, signal)
  }
  return {
    offers: [{ mediaType: 'application/json', render: content }],
    caching: 'no-store',
    headers: { 'X-Content-Type-Options': 'nosniff', 'Content-Disposition': `attachment; filename="${id}.json"` },
  }
}

/** Rejects with an HttpError 404 if the capture was removed meanwhile. */
async function readContent(run: RunOperation, input: CaptureReadInput, signal: AbortSignal): Promise<Uint8Array> {
  const { bytes } = await run('capture', input, signal)
  if (bytes === undefined) throw new HttpError(404, 'The capture does not exist any more.')
  return bytes
}
