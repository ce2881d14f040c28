import { errorName } from '../../base/settled-work.ts'
import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import type { MessagingOperation } from '../client-operations.ts'
import { requestBuckets, requestExponential } from '../http-server/request-distribution.ts'
import type { BegunRequestFacts, Protocol } from '../http-server/request-facts.ts'
import { noException, statusTags, unanswered, uriOf } from '../request-tags.ts'
import type { Convention, TagReaders } from './convention.ts'

const unknown = 'UNKNOWN'
const none = 'none'
const anyProtocol: Protocol = { index: 0 }

const messagingTags: TagReaders<MessagingOperation> = {
  system: ({ system }) => system,
  operation: ({ operation }) => operation,
  destination: ({ destination = none }) => destination,
  error: errorOf,
}

/** The names, tags and kinds of Spring Boot 4 and Micrometer. */
export const micrometer: Convention = {
  httpServer: {
    protocolOf: () => anyProtocol,
    requests: {
      name: 'http.server.requests',
      options: { description: 'Requests to the application', slo: requestBuckets, exponential: requestExponential },
      tags: {
        uri: ({ template, status }) => uriOf(template, status),
        method: methodOf,
        status: ({ status }) => statusTags(status)[0],
        outcome: ({ status }) => statusTags(status)[1],
        exception: ({ exception }) => exception,
        error: ({ exception }) => exception,
      },
    },
    // As in Spring Boot, the values that are not known before the end are those of a new response.
    active: {
      kind: 'longTaskTimer',
      name: 'http.server.requests.active',
      options: { description: 'Requests to the application in progress' },
      tags: {
        uri: () => unknown,
        method: methodOf,
        status: () => '200',
        outcome: () => 'SUCCESS',
        exception: () => noException,
      },
    },
  },
  httpClient: {
    requests: {
      name: 'http.client.requests',
      options: { description: 'Outgoing HTTP requests' },
      tags: {
        'client.name': ({ clientName }) => clientName,
        uri: ({ template }) => (template === undefined || template === '' ? none : template),
        method: ({ method }) => (isKnownMethod(method) ? method : unknown),
        status: ({ status = unanswered }) => statusTags(status)[0],
        outcome: ({ status = unanswered }) => statusTags(status)[1],
        exception: errorOf,
        error: errorOf,
      },
    },
  },
  database: {
    operations: {
      name: 'db.client.operation.duration',
      options: { description: 'Database operations' },
      tags: {
        system: ({ system }) => system,
        operation: ({ operation }) => operation,
        collection: ({ collection, procedure }) => collection ?? procedure ?? none,
        namespace: ({ namespace = none }) => (namespace === '' ? none : namespace),
        'server.address': ({ address = none }) => address,
        error: errorOf,
      },
    },
  },
  messaging: {
    send: {
      name: 'messaging.client.operation.duration',
      options: { description: 'Sending of messages' },
      tags: messagingTags,
    },
    process: {
      name: 'messaging.process.duration',
      options: { description: 'Processing of messages' },
      tags: messagingTags,
    },
    sent: {
      name: 'messaging.client.sent.messages',
      baseUnit: '{message}',
      options: { description: 'Messages that were sent' },
      tags: messagingTags,
    },
    consumed: {
      name: 'messaging.client.consumed.messages',
      baseUnit: '{message}',
      options: { description: 'Messages that were received' },
      tags: messagingTags,
    },
  },
}

function methodOf({ method }: BegunRequestFacts): string {
  return method ?? unknown
}

function errorOf({ error }: { readonly error?: unknown }): string {
  return error === undefined ? noException : errorName(error)
}
