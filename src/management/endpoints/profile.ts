import { profileFormats, type RunOperation } from '../../watch/diagnostics/diagnostic-operation.ts'
import { type ProfileOptions, profileSettings } from '../../watch/profile/profile-options.ts'
import { profileRoutes } from '../../watch/profile/profile-routes.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { stringSchema } from './json-representation.ts'

/** `profile`: a profile of all threads, or of one, in the format that the query names. */
export function profileEndpoint(run: RunOperation, options: ProfileOptions = {}): Endpoint {
  return { id: 'profile', routes: profileRoutes(run, profileSettings(options)), auditedReads: ['profile'], describe }
}

function describe(): EndpointDescription {
  const summary = 'Records a profile of the time or the memory that functions use.'
  const query = [
    {
      name: 'seconds',
      description: 'How long it is recorded; 10 by default, at most 300.',
      schema: { type: 'number' },
    },
    { name: 'type', description: 'Of what.', schema: { type: 'string', enum: ['wall', 'heap'] } },
    { name: 'format', description: 'The format of the response.', schema: { type: 'string', enum: profileFormats } },
    { name: 'thread', description: 'The thread: main, or the id of a worker; all by default.', schema: stringSchema },
  ]
  const content = [
    { mediaType: 'application/octet-stream', schema: stringSchema },
    { mediaType: 'application/json', schema: { type: 'object' } },
    { mediaType: 'text/plain', schema: stringSchema },
    { mediaType: 'text/html', schema: stringSchema },
  ]
  const refusals = [
    { status: 409, description: 'Another profile is in progress.' },
    { status: 501, description: 'Profiles cannot be recorded in this process.' },
  ]
  return {
    profile: { GET: { summary, query, responses: [{ status: 200, description: summary, content }, ...refusals] } },
  }
}
