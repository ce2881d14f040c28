import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import { openTelemetryBuckets } from '../../metrics/bucket-presets.ts'
import type { MessagingOperation } from '../client-operations.ts'
import { errorType } from '../fail-span.ts'
import type { RequestView } from '../http-server/exchange-view.ts'
import type { BegunRequestFacts, EndedRequestFacts, Protocol } from '../http-server/request-facts.ts'
import { aborted, noException } from '../request-tags.ts'
import type { Convention, TagReaders } from './convention.ts'

/** The advised bounds of `db.client.operation.duration`, in seconds. */
const databaseBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

const typeOf = ({ type }: MessagingOperation) => type

const messagingTags: TagReaders<MessagingOperation> = {
  'messaging.system.name': ({ system }) => system,
  'messaging.operation.name': ({ operation }) => operation,
  'messaging.destination.name': ({ destination }) => destination,
  'server.address': ({ address }) => address,
  'server.port': ({ port }) => textOf(port),
  'error.type': ({ error }) => (error === undefined ? undefined : errorType(error)),
}

const otherMethod = '_OTHER'

/** The metrics of OpenTelemetry's semantic conventions 1.45. */
export const opentelemetry: Convention = {
  httpServer: {
    protocolOf,
    requests: {
      name: 'http.server.request.duration',
      options: {
        description: 'Duration of HTTP server requests.',
        slo: openTelemetryBuckets,
        exponential: { maximumScale: 3 },
      },
      tags: {
        'http.request.method': methodOf,
        'url.scheme': schemeOf,
        'error.type': serverErrorOf,
        'http.response.status_code': sentStatusOf,
        'http.route': ({ template }) => (template === '' ? undefined : template),
        'network.protocol.version': ({ protocol }) => protocol.version,
      },
    },
    active: {
      kind: 'gauge',
      name: 'http.server.active_requests',
      baseUnit: '{request}',
      options: { description: 'Number of active HTTP server requests.' },
      tags: { 'http.request.method': methodOf, 'url.scheme': schemeOf },
    },
  },
  httpClient: {
    requests: {
      name: 'http.client.request.duration',
      options: { description: 'Duration of HTTP client requests.', slo: openTelemetryBuckets },
      tags: {
        'http.request.method': ({ method }) => (isKnownMethod(method) ? method : otherMethod),
        'server.address': ({ address, clientName }) => address ?? clientName,
        'server.port': ({ port }) => textOf(port),
        'error.type': ({ status, error }) => {
          if (error !== undefined) return errorType(error)
          return status !== undefined && status >= 400 ? String(status) : undefined
        },
        'http.response.status_code': ({ status }) => textOf(status),
        'url.template': ({ template }) => (template === '' ? undefined : template),
      },
    },
  },
  database: {
    operations: {
      name: 'db.client.operation.duration',
      options: { description: 'Duration of database client operations.', slo: databaseBounds },
      tags: {
        'db.system.name': ({ system }) => system,
        'db.operation.name': ({ operation }) => operation,
        'db.collection.name': ({ collection }) => collection,
        'db.stored_procedure.name': ({ procedure }) => procedure,
        'db.namespace': ({ namespace }) => (namespace === '' ? undefined : namespace),
        'server.address': ({ address }) => address,
        'server.port': ({ port }) => textOf(port),
        'error.type': ({ error, statusCode }) => (error === undefined ? undefined : (statusCode ?? errorType(error))),
        'db.response.status_code': ({ statusCode }) => statusCode,
      },
    },
  },
  messaging: {
    send: {
      name: 'messaging.client.operation.duration',
      options: {
        description: 'Duration of messaging operation initiated by a producer or consumer client.',
        slo: openTelemetryBuckets,
      },
      tags: /* @__PURE__ */ Object.assign({}, messagingTags, { 'messaging.operation.type': typeOf }),
    },
    process: {
      name: 'messaging.process.duration',
      options: { description: 'Duration of processing operation.', slo: openTelemetryBuckets },
      tags: messagingTags,
    },
    sent: {
      name: 'messaging.client.sent.messages',
      baseUnit: '{message}',
      options: { description: 'Number of messages producer attempted to send to the broker.' },
      tags: messagingTags,
    },
    consumed: {
      name: 'messaging.client.consumed.messages',
      baseUnit: '{message}',
      options: { description: 'Number of messages that were delivered to the application.' },
      tags: messagingTags,
    },
  },
}

function methodOf({ method }: BegunRequestFacts): string {
  return method ?? otherMethod
}

function schemeOf({ protocol }: BegunRequestFacts): string | undefined {
  return protocol.scheme
}

/** A response that was cut off has its status if the header had been sent. */
function sentStatusOf({ status }: EndedRequestFacts): string | undefined {
  return status === aborted ? undefined : String(Math.abs(status))
}

function serverErrorOf({ status, exception }: EndedRequestFacts): string | undefined {
  if (status < 0) return 'aborted'
  if (status < 500) return undefined
  return exception === noException ? String(status) : exception
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

/** Fetch servers do not know the version. */
const versions = [undefined, '1.0', '1.1', '2', '3'] as const
const protocols: readonly Protocol[] = /* @__PURE__ */ (['http', 'https'] as const).flatMap((scheme, at) =>
  versions.map((version, index) => ({
    index: at * versions.length + index,
    scheme,
    ...(version === undefined ? {} : { version }),
  })),
)

function protocolOf({ socket, httpVersion }: RequestView): Protocol {
  const isEncrypted = socket !== undefined && 'encrypted' in socket
  const protocol = protocols[(isEncrypted ? versions.length : 0) + versionIndexOf(httpVersion)]
  return protocol ?? anyProtocol
}

function versionIndexOf(version: string | undefined): number {
  switch (version) {
    case '1.0':
      return 1
    case '1.1':
      return 2
    case '2.0':
      return 3
    case '3.0':
      return 4
    default:
      return 0
  }
}

const anyProtocol: Protocol = { index: 0, scheme: 'http' }
