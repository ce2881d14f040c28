import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Route } from '../../http/router.ts'
import type { RunOperation } from '../diagnostics/diagnostic-operation.ts'
import type { ProfileType } from './profile-operation.ts'
import type { ProfileSettings } from './profile-options.ts'
import { parseProfileQuery, parseSeconds, requireFewSamples } from './profile-query.ts'
import { profileRepresentation } from './profile-representation.ts'

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
