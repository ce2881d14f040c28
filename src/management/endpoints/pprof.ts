import type { RunOperation } from '../../watch/diagnostics/diagnostic-operation.ts'
import { type ProfileOptions, profileSettings } from '../../watch/profile/profile-options.ts'
import { pprofRoutes } from '../../watch/profile/profile-routes.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { stringSchema } from './json-representation.ts'

/** `pprof`: profiles at the paths of Go's package net/http/pprof, for `go tool pprof` and pull-mode profilers. */
export function pprofEndpoint(run: RunOperation, options: ProfileOptions = {}): Endpoint {
  const auditedReads = ['pprof/profile', 'pprof/heap', 'pprof/allocs']
  return { id: 'pprof', routes: pprofRoutes(run, profileSettings(options)), auditedReads, describe }
}

function describe(): EndpointDescription {
  const page = 'The profiles that can be recorded.'
  const profile = (summary: string, seconds: number) => {
    const schema = { type: 'number' }
    const query = [{ name: 'seconds', description: `How long; ${seconds} by default, at most 300.`, schema }]
    const content = [{ mediaType: 'application/octet-stream', schema: stringSchema }]
    return { GET: { summary, query, responses: [{ status: 200, description: summary, content }] } }
  }
  const html = [{ mediaType: 'text/html', schema: stringSchema }]
  return {
    pprof: { GET: { summary: page, responses: [{ status: 200, description: page, content: html }] } },
    'pprof/profile': profile('Records the time that functions use, for pprof.', 30),
    'pprof/heap': profile('Records the live memory that functions allocate, for pprof.', 10),
    'pprof/allocs': profile('Records all memory that functions allocate, for pprof.', 10),
  }
}
