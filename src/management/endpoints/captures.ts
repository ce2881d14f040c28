import { profileFormats, type RunOperation } from '../../watch/diagnostics/diagnostic-operation.ts'
import { captureRules } from '../../watch/recorder/capture.ts'
import { captureRoutes } from '../../watch/recorder/capture-routes.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, listSchema, objectSchema, stringSchema } from './json-representation.ts'

/** `captures`: what the flight recorder has captured; `captures/{id}`: the content of one capture. */
export function capturesEndpoint(run: RunOperation): Endpoint {
  return { id: 'captures', routes: captureRoutes(run), auditedReads: ['captures/{id}'], describe }
}

function describe(): EndpointDescription {
  const integer = { type: 'integer' }
  const capture = objectSchema({
    ...{
      id: stringSchema,
      rule: { type: 'string', enum: captureRules },
      time: { type: 'string', format: 'date-time' },
    },
    ...{ reason: stringSchema, type: { type: 'string', enum: ['wall', 'heap', 'report'] }, bytes: integer },
    details: { type: 'object' },
  })
  const list = objectSchema({ captures: listSchema(capture), suppressed: integer, dropped: integer })
  const [all, one] = ['What the flight recorder has captured, the latest first.', 'The content of a capture.']
  const mediaTypes = ['application/octet-stream', 'application/json', 'text/plain', 'text/html']
  const content = mediaTypes.map((mediaType) => ({ mediaType, schema: stringSchema }))
  const query = [
    { name: 'format', description: 'That of a profile.', schema: { type: 'string', enum: profileFormats } },
  ]
  const unavailable = { status: 501, description: 'The watchdog has not been started.' }
  return {
    captures: {
      GET: {
        summary: all,
        responses: [{ status: 200, description: all, content: describeJson(list) }, unavailable],
      },
    },
    'captures/{id}': {
      GET: { summary: one, query, responses: [{ status: 200, description: one, content }, unavailable] },
    },
  }
}
