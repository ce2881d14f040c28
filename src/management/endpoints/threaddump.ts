import type { Clock } from '../../base/clock.ts'
import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { JsonSchema } from '../../rest/schemas/json-schema.ts'
import type { RunOperation } from '../../watch/diagnostics/diagnostic-operation.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, listSchema, objectSchema, stringSchema } from './json-representation.ts'

const textType = 'text/plain;charset=UTF-8'

/**
 * `threaddump`: the stacks of the main thread and of its worker threads, and the active resources, as JSON in the form
 * of Spring Boot Actuator or as text.
 */
export function threaddumpEndpoint(run: RunOperation, clock: Clock): Endpoint {
  const get = async ({ signal, extendIdleTimeout }: Call): Promise<Representation> => {
    extendIdleTimeout('1m')
    // Loaded when it is needed.
    const { dumpThreads } = await import('../../watch/threads/thread-dump.ts')
    const { threadDumpRepresentation } = await import('../../watch/threads/thread-dump-route.ts')
    return threadDumpRepresentation(await dumpThreads(run, signal), clock)
  }
  const routes = [{ path: 'threaddump', resource: { access: 'authorized', get } }] as const
  return { id: 'threaddump', routes, auditedReads: ['threaddump'], describe }
}

function describe(): EndpointDescription {
  const [number, flag] = [{ type: 'integer' }, { type: 'boolean' }]
  const frame = objectSchema({
    ...{ className: stringSchema, methodName: stringSchema, fileName: stringSchema },
    ...{ lineNumber: number, columnNumber: number, nativeMethod: flag },
  })
  const thread = objectSchema({
    ...{ threadId: number, threadName: stringSchema, threadState: { type: 'string', enum: ['RUNNABLE', 'WAITING'] } },
    ...{ inNative: flag, suspended: flag, stackTrace: listSchema(frame) },
    ...{ blockedCount: number, blockedTime: number, waitedCount: number, waitedTime: number, lockOwnerId: number },
    ...{ lockedMonitors: { type: 'array' }, lockedSynchronizers: { type: 'array' } },
  })
  const activeResources: JsonSchema = { type: 'object', additionalProperties: number }
  const schema = objectSchema({ threads: listSchema(thread), activeResources })
  const summary = 'The stacks of all threads.'
  const content = [...describeJson(schema), { mediaType: textType, schema: stringSchema }]
  const refusal = { status: 501, description: 'The runtime cannot read the stacks of its threads.' }
  return { threaddump: { GET: { summary, responses: [{ status: 200, description: summary, content }, refusal] } } }
}
