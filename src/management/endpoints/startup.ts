import { readOptionalJsonBody } from '../../http/conventions/request-body.ts'
import type { Call } from '../../http/resource.ts'
import type { StartupEvent, StartupRecorder, StartupTimeline } from '../../lifecycle/startup-timeline.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, jsonBodyTypes, listSchema, objectSchema, stringSchema } from './json-representation.ts'

/**
 * `startup`: the timeline of the start of the application, in the format of Spring Boot Actuator. POST responds with
 * the same, and empties it.
 */
export function startupEndpoint(recorder: StartupRecorder): Endpoint {
  const get = () => json(describeTimeline(recorder.read()), 'no-cache')
  const post = async ({ request }: Call) => {
    // Clients of Spring Boot Actuator may send JSON, which is ignored there, too.
    await readOptionalJsonBody(request, { mediaTypes: jsonBodyTypes })
    return json(describeTimeline(recorder.drain()), 'no-store')
  }
  return { id: 'startup', routes: [{ path: 'startup', resource: { access: 'authorized', get, post } }], describe }
}

function describeTimeline({ startTime, events }: StartupTimeline) {
  return { timeline: { startTime: instant(startTime), events: events.map(describeEvent) } }
}

function describeEvent({ id, parentId, name, startTime, endTime, tags }: StartupEvent) {
  return {
    startupStep: {
      name,
      id,
      ...(parentId !== undefined && { parentId }),
      tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
    },
    startTime: instant(startTime),
    endTime: instant(endTime),
    duration: `PT${(Math.max(0, endTime - startTime) / 1_000).toFixed(6)}S`,
  }
}

function instant(time: number): string {
  return new Date(time).toISOString()
}

function describe(): EndpointDescription {
  const time = { type: 'string', format: 'date-time' }
  const step = {
    type: 'object',
    properties: {
      name: stringSchema,
      id: { type: 'integer' },
      parentId: { type: 'integer' },
      tags: listSchema(objectSchema({ key: stringSchema, value: stringSchema })),
    },
    required: ['name', 'id', 'tags'],
  }
  const event = objectSchema({ startupStep: step, startTime: time, endTime: time, duration: stringSchema })
  const timeline = objectSchema({ startTime: time, events: listSchema(event) })
  const content = describeJson(objectSchema({ timeline }), 'startup-timeline')
  const summary = 'The timeline of the start of the application.'
  const responses = [{ status: 200, description: summary, content }]
  return {
    startup: {
      GET: { summary, responses },
      POST: { summary: `${summary.slice(0, -1)}, which is emptied.`, responses },
    },
  }
}
