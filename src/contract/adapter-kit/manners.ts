import { type Answer, want, wantField, wantNoField, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import { type Trial, wantEqual, wantText } from './subject.ts'

const spring = 'application/vnd.spring-boot.actuator.v3+json'
const allow = 'GET, HEAD, OPTIONS'
const json = { 'Content-Type': 'application/json' }

/** The header fields without time stamps: responses may be a second apart. */
function withoutMoments({ fields }: Answer): Readonly<Record<string, string>> {
  const { date, expires, ...rest } = Object.fromEntries(fields)
  return { ...rest, expires: expires?.replace(/^\w{3}, .* GMT$/, 'a time stamp') ?? '' }
}

const heads = ['', '/health', '/health/liveness', '/info', '/info?accept=text/html', '/none', '/%E0', '/info?fields=(']
const accepts: readonly (readonly [string | undefined, string])[] = [
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  [`${spring}, application/json;q=0.5`, spring],
  ['application/json;q=0, */*', spring],
]

export const mannersTrials: readonly Trial[] = [
  ...heads.map(
    (path): Trial => ({
      title: `HEAD of ${path || 'the base path'} has the status and fields of GET, and no content`,
      async attempt({ ask }) {
        const get = await ask(path)
        const head = await ask(path, { method: 'HEAD' })
        wantStatus(head, get.status)
        wantEqual(head, withoutMoments(head), withoutMoments(get))
        wantField(head, 'Content-Length', String(get.bytes.length))
        want(head, head.surplus === 0, 'no bytes after the header section')
      },
    }),
  ),
  ...['', '/health', '/health/db', '/info'].map(
    (path): Trial => ({
      title: `OPTIONS of ${path || 'the base path'} lists the methods`,
      async attempt({ ask }) {
        const answer = await ask(path, { method: 'OPTIONS' })
        wantStatus(answer, 204)
        wantField(answer, 'Allow', allow)
        wantNoField(answer, 'Content-Length')
        want(answer, answer.surplus === 0, 'no bytes after the header section')
      },
    }),
  ),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Trial => ({
      title: `${method}, which a resource does not support, is rejected with 405 and Allow`,
      async attempt({ ask, at }) {
        const answer = await ask('/health', { method, headers: json, content: '{"status":"UP"}' })
        wantStatus(answer, 405)
        wantField(answer, 'Allow', allow)
        wantEqual(answer, objectOf(answer), {
          type: 'about:blank',
          title: 'Method Not Allowed',
          status: 405,
          detail: `Method not allowed; use ${allow.replace(/, (\w+)$/, ' or $1')}.`,
          instance: at('/health'),
        })
      },
    }),
  ),
  ...accepts.map(
    ([accept, contentType]): Trial => ({
      title: `Accept: ${accept ?? '(none)'} selects ${contentType}`,
      async attempt({ ask }) {
        const answer = await ask('/info', accept === undefined ? {} : { headers: { Accept: accept } })
        wantField(answer, 'Content-Type', contentType)
        wantField(answer, 'Vary', 'Accept')
      },
    }),
  ),
  {
    title: 'the query parameter accept takes precedence over the field',
    async attempt({ ask }) {
      const answer = await ask(`/info?accept=${spring}`, { headers: { Accept: 'text/html' } })
      wantStatus(answer, 200)
      wantField(answer, 'Content-Type', spring)
    },
  },
  {
    title: 'a 406 lists the available media types',
    async attempt({ ask }) {
      const answer = await ask('/info', { headers: { Accept: 'text/html' } })
      wantStatus(answer, 406)
      wantEqual(
        answer,
        objectOf(answer)['detail'],
        `Not acceptable; available as application/json or ${spring} or ${spring.replace('v3', 'v2')}.`,
      )
    },
  },
  {
    title: 'a problem document is sent as application/json to a client that accepts only that',
    async attempt({ ask }) {
      const problem = await ask('/none')
      const answer = await ask('/none', { headers: { Accept: 'application/json' } })
      wantField(problem, 'Content-Type', 'application/problem+json')
      wantField(answer, 'Content-Type', 'application/json')
      wantText(answer, problem.text)
    },
  },
]
