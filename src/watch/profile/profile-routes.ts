import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Route } from '../../http/router.ts'
import type { ProfileFormat, ProfileInput, ProfileType, RunOperation } from '../diagnostics/diagnostic-operation.ts'
import type { ProfileSettings } from './profile-options.ts'
import { parseProfileQuery, parseSeconds, requireFewSamples } from './profile-query.ts'

/** Returns the route of `profile`: for the management, and for the port of the watchdog. */
export function profileRoutes(run: RunOperation, settings: ProfileSettings): readonly Route[] {
  const get = (call: Call): Representation => {
    const query = parseProfileQuery(call.query, { seconds: 10 }, settings.intervalMilliseconds)
    return profileRepresentation(run, { ...settings, ...query }, call)
  }
  return [{ path: 'profile', resource: { access: 'authorized', refusesCrossSiteReads: true, get } }]
}

/** Returns the routes of `pprof`, at the paths of Go's package net/http/pprof. */
export function pprofRoutes(run: RunOperation, settings: ProfileSettings): readonly Route[] {
  const route = (name: string, type: ProfileType, defaultSeconds: number): Route => {
    const get = (call: Call): Representation => {
      const seconds = parseSeconds(call.query, defaultSeconds)
      if (type === 'wall') requireFewSamples(seconds, settings.intervalMilliseconds)
      return profileRepresentation(run, { ...settings, type, seconds, format: 'pprof', thread: undefined }, call)
    }
    return { path: `pprof/${name}`, resource: { access: 'authorized', refusesCrossSiteReads: true, get } }
  }
  return [
    { path: 'pprof', resource: { access: 'authorized', get: () => index } },
    // The defaults of Go; V8 samples allocations only while a profile is taken, where Go always does.
    route('profile', 'wall', 30),
    route('heap', 'heap', 10),
    route('allocs', 'allocs', 10),
  ]
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Profiles</title>
<h1>Profiles</h1>
<dl>
<dt><a href="pprof/profile?seconds=30">profile</a></dt>
<dd>Time by function, in all threads; idle time is left out.</dd>
<dt><a href="pprof/heap?seconds=10">heap</a></dt>
<dd>Live memory that was allocated during the profile, by function.</dd>
<dt><a href="pprof/allocs?seconds=10">allocs</a></dt>
<dd>All memory that was allocated during the profile, by function.</dd>
</dl>
<p>Read them with <code>go tool pprof</code>.</p>
</html>
`

const index: Representation = {
  offers: [{ mediaType: 'text/html; charset=utf-8', render: () => page }],
  caching: 'no-cache',
  headers: { 'Content-Security-Policy': "default-src 'none'", 'X-Content-Type-Options': 'nosniff' },
}

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
function profileRepresentation(
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
