import { errorName } from '../../base/settled-work.ts'
import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import type { ClientRequest } from '../http-client/client-request.ts'
import type { BegunRequestFacts, Protocol } from '../http-server/request-facts.ts'
import { noException, statusTags, unanswered, uriOf } from '../request-tags.ts'
import type { Convention } from './convention.ts'

const unknown = 'UNKNOWN'
const anyProtocol: Protocol = { index: 0 }

/** The names, tags and kinds of Spring Boot 4 and Micrometer. */
export const micrometer: Convention = {
  httpServer: {
    protocolOf: () => anyProtocol,
    requests: {
      name: 'http.server.requests',
      options: { description: 'Requests to the application' },
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
        uri: ({ template }) => (template === undefined || template === '' ? noTemplate : template),
        method: ({ method }) => (isKnownMethod(method) ? method : unknown),
        status: ({ status = unanswered }) => statusTags(status)[0],
        outcome: ({ status = unanswered }) => statusTags(status)[1],
        exception: clientErrorOf,
        error: clientErrorOf,
      },
    },
  },
}

const noTemplate = 'none'

function methodOf({ method }: BegunRequestFacts): string {
  return method ?? unknown
}

function clientErrorOf({ error }: ClientRequest): string {
  return error === undefined ? noException : errorName(error)
}
