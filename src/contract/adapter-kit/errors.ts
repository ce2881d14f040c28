import { fieldOf, want, wantField, wantNoField, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import { type Trial, wantEqual } from './subject.ts'

const documents: readonly (readonly [name: string, status: number, title: string, detail?: string])[] = [
  ['secret', 500, 'Internal Server Error'],
  ['text', 500, 'Internal Server Error'],
  ['conflict', 409, 'Conflict', 'The order is shipped.'],
  ['unavailable', 503, 'Service Unavailable', 'Try later.'],
  ['exposed', 422, 'Unprocessable Content', 'The size is wrong.'],
  ['hidden', 403, 'Forbidden'],
  ['pretended', 500, 'Internal Server Error'],
]

export const errorTrials: readonly Trial[] = [
  ...documents.map(
    ([name, status, title, detail]): Trial => ({
      title: `a thrown ${name} becomes a problem document with ${status} that reveals nothing else`,
      async attempt({ askFor }) {
        const answer = await askFor(`/fail/${name}?key=secret`)
        wantStatus(answer, status)
        wantField(answer, 'Content-Type', 'application/problem+json')
        const document = objectOf(answer)
        // Whether the request id is set by then is another case.
        const named = document['request_id'] === undefined ? {} : { request_id: 'r-1' }
        const instance = `/fail/${name}`
        wantEqual(answer, document, {
          type: 'about:blank',
          title,
          status,
          ...(detail && { detail }),
          instance,
          ...named,
        })
      },
    }),
  ),
  {
    title: 'header fields of an error are sent',
    attempt: async ({ askFor }) => wantField(await askFor('/fail/conflict'), 'Retry-After', '7'),
  },
  {
    title: 'a problem document has the request id of the prepared response',
    needs: 'preparedFields',
    async attempt({ askFor }) {
      for (const name of ['secret', 'conflict', 'unavailable', 'exposed']) {
        const answer = await askFor(`/fail/${name}`)
        wantField(answer, 'X-Request-Id', 'r-1')
        wantEqual(answer, objectOf(answer)['request_id'], 'r-1')
      }
    },
  },
  {
    title: 'an error removes representation fields of the replaced content and keeps all others',
    needs: 'preparedFields',
    async attempt({ askFor }) {
      const answer = await askFor('/fail/conflict')
      wantNoField(answer, 'ETag')
      wantNoField(answer, 'Content-Encoding')
      wantField(answer, 'X-Request-Id', 'r-1')
    },
  },
  {
    title: 'an error in response to HEAD has no content',
    async attempt({ askFor }) {
      const head = await askFor('/fail/conflict', { method: 'HEAD' })
      wantStatus(head, 409)
      want(head, head.surplus === 0, 'no bytes after the header section')
      wantField(head, 'Content-Length', fieldOf(await askFor('/fail/conflict'), 'Content-Length'))
    },
  },
  {
    title: 'an error is reported if it has a 5xx status, and only then',
    async attempt({ askFor, reported }) {
      const refused = await askFor('/fail/conflict')
      want(refused, [...reported].length === 0, 'nothing reported')
      const failed = await askFor('/fail/secret')
      const [error] = reported
      want(
        failed,
        reported.length === 1 && error instanceof Error && error.message === 'password=hunter2',
        'the error, reported once',
      )
    },
  },
]
