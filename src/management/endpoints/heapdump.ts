import type { Report } from '../../base/report.ts'
import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Diagnostics } from '../../watch/diagnostics/diagnostics.ts'
import { type HeapDumper, type HeapDumpOptions, heapDumpSettings } from '../../watch/heap/heap-dump.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'

const mediaType = 'application/octet-stream'

/** What the endpoint uses of the management. */
interface HeapDumpContext {
  readonly diagnostics: Diagnostics
  readonly report: Report
  readonly onClose: (close: () => void) => void
}

/** `heapdump`: a snapshot of the heap of the main thread, which is blocked while it is taken. */
export function heapdumpEndpoint(
  { diagnostics, report, onClose }: HeapDumpContext,
  options: HeapDumpOptions = {},
): Endpoint {
  const settings = heapDumpSettings(options)
  let dumper: HeapDumper | undefined
  onClose(() => dumper?.close())

  const get = async ({ signal, extendIdleTimeout }: Call): Promise<Representation> => {
    // Loaded when it is needed.
    const { createHeapDumper } = await import('../../watch/heap/heap-dump.ts')
    dumper ??= createHeapDumper(diagnostics, settings, report)
    const { check, take } = dumper
    check()
    extendIdleTimeout(`${settings.blockMilliseconds + 60_000}ms`)
    // Sent with the first chunk, so that the duration is known. A request by HEAD takes no snapshot.
    const headers: Record<string, string> = {
      'Content-Disposition': `attachment; filename="${fileName()}"`,
      'X-Content-Type-Options': 'nosniff',
    }
    const taken = (blockedMilliseconds: number): void => {
      headers['Server-Timing'] = `blocked;dur=${blockedMilliseconds};desc="event loop"`
      report(`heapdump: the event loop was blocked for ${blockedMilliseconds}ms`)
    }
    return { offers: [{ mediaType, render: () => take(signal, taken) }], caching: 'no-store', headers }
  }
  const routes = [{ path: 'heapdump', resource: { access: 'authorized', get } }] as const
  return { id: 'heapdump', routes, auditedReads: ['heapdump'], describe }
}

/** Such as `20260131T235959.heapsnapshot`. */
function fileName(): string {
  return `${new Date().toISOString().replace(/\..*|[-:]/g, '')}.heapsnapshot`
}

function describe(): EndpointDescription {
  const summary = 'A snapshot of the heap, which blocks the event loop.'
  const content = [{ mediaType, schema: { type: 'string', format: 'binary' } }]
  const refusals = [
    { status: 409, description: 'Another snapshot is in progress, or the memory may not suffice.' },
    { status: 501, description: 'The runtime cannot inspect its threads.' },
    { status: 507, description: 'The disk is full.' },
  ]
  return { heapdump: { GET: { summary, responses: [{ status: 200, description: summary, content }, ...refusals] } } }
}
