import { redactPath } from '../base/redact-path.ts'
import type { Principal } from '../http/authorize.ts'
import { isEmptyResponse } from '../http/representation.ts'
import type { Call, HandlerResult, Resource, ResourceHandler } from '../http/resource.ts'
import type { AuditRecord } from './audit-log.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { type DownloadOutcome, statusOf, watchDownload } from './watch-download.ts'

const writes = ['post', 'put', 'patch', 'delete'] as const

const maxPath = 200
const maxName = 100

/**
 * Returns the endpoints with each operation audited that changes something, or that downloads what `auditedReads` of
 * its endpoint names: when it has ended, with its outcome. An operation that was refused before it began, such as with
 * 401 or 406, is not audited.
 */
export function auditEndpoints(
  endpoints: readonly Endpoint[],
  record: (event: AuditRecord) => void,
): readonly Endpoint[] {
  return endpoints.map((endpoint) => {
    const routes = endpoint.routes.map(({ path, resource }) => {
      const audit = (perform: ResourceHandler, type: AuditRecord['type']): ResourceHandler => {
        return (call) => performAudited(perform, call, { type, endpoint: endpoint.id, template: path }, record)
      }
      return { path, resource: auditResource(resource, endpoint.auditedReads?.includes(path) === true, audit) }
    })
    return { ...endpoint, routes }
  })
}

function auditResource(
  resource: Resource,
  readsToo: boolean,
  audit: (perform: ResourceHandler, type: AuditRecord['type']) => ResourceHandler,
): Resource {
  const audited = writes.flatMap((method) => {
    const perform = resource[method]
    return perform === undefined ? [] : [[method, audit(perform.bind(resource), 'change')] as const]
  })
  const { get } = resource
  if (readsToo && get !== undefined) return { ...resource, ...Object.fromEntries(audited), get: audit(get, 'download') }
  return audited.length === 0 ? resource : { ...resource, ...Object.fromEntries(audited) }
}

interface Operation {
  readonly type: AuditRecord['type']
  readonly endpoint: string
  readonly template: string
}

async function performAudited(
  perform: ResourceHandler,
  call: Call,
  { type, endpoint, template }: Operation,
  record: (event: AuditRecord) => void,
): Promise<HandlerResult> {
  const { method, headers } = call.request
  const tool = toolOf(headers['user-agent'])
  const path = redactPath(fill(template, call.variables), `/${template}`).slice(1, maxPath)
  /** Called before the end, so that an ended download is recorded at once. */
  const findCaller = async () => {
    const principal = nameOf(await callerOf(call))
    return ({ isComplete, status }: DownloadOutcome): void =>
      record({
        ...{ principal, ...(tool !== undefined && { tool }), type, endpoint, method, path },
        ...{ outcome: isComplete ? 'success' : 'failure', status },
      })
  }
  try {
    const result = await perform(call)
    const end = await findCaller()
    const status = result === undefined && type === 'download' ? 404 : failureOf(result)
    const isRead = type === 'download' && method === 'GET' && status === undefined
    if (isRead && result !== undefined && !isEmptyResponse(result)) return watchDownload(result, call.signal, end)
    end({ isComplete: status === undefined, status })
    return result
  } catch (error) {
    const end = await findCaller()
    end({ isComplete: false, status: statusOf(error) })
    throw error
  }
}

/** Returns the status of a result that is an error of the client or the server. */
function failureOf(result: HandlerResult): number | undefined {
  const status = result?.status ?? 200
  return status >= 400 ? status : undefined
}

/** Returns the tool that `upkeep mcp` names, and nothing else of the header, which may contain anything. */
function toolOf(userAgent: string | readonly string[] | undefined): string | undefined {
  return typeof userAgent === 'string' ? /^upkeep-mcp\/\S{1,40} \(([a-z_]{1,40})\)$/.exec(userAgent)?.[1] : undefined
}

/** Returns the caller, which the exchange knows already unless the operation is public. Never rejects. */
async function callerOf(call: Call): Promise<Principal | undefined> {
  try {
    return await call.identify()
  } catch {
    return undefined
  }
}

function nameOf(principal: Principal | undefined): string | undefined {
  return principal === undefined ? undefined : String(principal.name).slice(0, maxName)
}

/** Returns the path of a call: its template with the decoded values of the variables. */
function fill(template: string, variables: readonly string[]): string {
  const values = [...variables]
  const segments = template.split('/').map((segment) => {
    if (segment.startsWith('{*')) return values.splice(0).map(encodeURIComponent).join('/')
    return segment.startsWith('{') ? encodeURIComponent(values.shift() ?? '') : segment
  })
  return `/${segments.join('/')}`
}
