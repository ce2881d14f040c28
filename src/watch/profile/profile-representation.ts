import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { RunOperation } from '../diagnostics/diagnostic-operation.ts'
import type { ProfileFormat, ProfileInput } from './profile-operation.ts'

interface FormatHeaders {
  readonly mediaType: string
  readonly extension: string
}

const wallFormats: Readonly<Record<ProfileFormat, FormatHeaders>> = {
  pprof: { mediaType: 'application/octet-stream', extension: 'pb.gz' },
  cpuprofile: { mediaType: 'application/json', extension: 'cpuprofile' },
  folded: { mediaType: 'text/plain; charset=utf-8', extension: 'folded' },
  flamegraph: { mediaType: 'text/html; charset=utf-8', extension: 'html' },
}

/**
 * Returns a profile as a representation. It is recorded when its content is read: a request that only wants the header
 * fields, or that accepts another media type, records nothing. It ends when the client disconnects.
 */
export function profileRepresentation(
  run: RunOperation,
  input: Omit<ProfileInput, 'nonce'>,
  call: Pick<Call, 'signal' | 'extendIdleTimeout'>,
): Representation {
  return encodedProfile(input, input.type === 'wall' ? 'profile' : input.type, async (nonce) => {
    call.extendIdleTimeout(`${input.seconds + 60}s`)
    const { bytes } = await run('profile', { ...input, nonce }, call.signal)
    return bytes
  })
}

/**
 * Returns an encoded profile as a representation; `name` is that of its file without an extension. `encode` is called
 * when its content is read.
 */
export function encodedProfile(
  { type, format }: Pick<ProfileInput, 'type' | 'format'>,
  name: string,
  encode: (nonce: string) => Promise<Uint8Array>,
): Representation {
  const nonce = process.getBuiltinModule('node:crypto').randomBytes(16).toString('base64')
  const { mediaType, extension } = wallFormats[format]
  const file = `${name}.${type === 'wall' ? extension : extension.replace('cpu', 'heap')}`
  async function* content(): AsyncGenerator<Uint8Array> {
    yield await encode(nonce)
  }
  return {
    offers: [{ mediaType, render: content }],
    caching: 'no-store',
    isCompressed: format === 'pprof',
    headers: {
      'X-Content-Type-Options': 'nosniff',
      ...(format === 'flamegraph'
        ? { 'Content-Security-Policy': pagePolicy(nonce), 'Referrer-Policy': 'no-referrer' }
        : { 'Content-Disposition': `attachment; filename="${file}"` }),
    },
  }
}

/** Returns a policy that allows one script and one style of a page, and nothing that the page would load. */
function pagePolicy(nonce: string): string {
  const own = `'nonce-${nonce}'`
  const nothing = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map((each) => `${each} 'none'`)
  return [...nothing, `script-src ${own}`, `style-src ${own}`].join('; ')
}
