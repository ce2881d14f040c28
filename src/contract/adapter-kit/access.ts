import type { Authorize } from '../../http/authorize.ts'
import { fieldOf, want, wantField, wantNoField, wantStatus } from '../answer.ts'
import { isObject, objectOf } from '../json.ts'
import type { ConformanceManagementOptions } from './application.ts'
import { type Asking, type Trial, wantEqual } from './subject.ts'

const challenge = 'Bearer realm="management"'
const roles: Readonly<Record<string, readonly string[]>> = { 'Bearer clerk': [], 'Bearer operator': ['ops'] }

const authorize: Authorize = Object.assign<Authorize, Pick<Authorize, 'challenge'>>(
  ({ headers: { authorization } }) => {
    const known = typeof authorization === 'string' ? roles[authorization] : undefined
    return known && { name: 'somebody', roles: known }
  },
  { challenge },
)

/** A management of which each endpoint is for somebody else. */
const options: Partial<ConformanceManagementOptions> = {
  authorize,
  access: { health: 'public', info: 'authorized', metrics: { roles: ['ops', 'dev'] }, prometheus: 'none' },
  health: {
    indicators: { db: () => ({ status: 'UP', details: { database: 'PostgreSQL 17' } }) },
    showDetails: 'when-authorized',
    roles: ['ops'],
  },
}

const bearer = (token: string): Asking => ({ headers: { Authorization: `Bearer ${token}` } })
const [nobody, guess, clerk, operator]: readonly Asking[] = [{}, bearer('guess'), bearer('clerk'), bearer('operator')]
const callers = [nobody, guess, clerk, operator]

/** A challenge after a token that was refused (RFC 6750 §3.1). */
const refusal = `${challenge}, error="invalid_token"`

const calls = [
  ['/health', 200, 200, 200, 200],
  ['/health/liveness', 200, 200, 200, 200],
  ['/health/db', 404, 404, 404, 200],
  ['/info', 401, 401, 200, 200],
  ['/metrics', 401, 401, 403, 200],
  ['/metrics/http.server.requests', 401, 401, 403, 404],
  ['/prometheus', 404, 404, 404, 404],
  ['', 200, 200, 200, 200],
] as const

const accessCases: readonly Omit<Trial, 'options'>[] = [
  ...calls.map(([path, ...statuses]): Omit<Trial, 'options'> => {
    const [toNobody, toGuess, toClerk, toOperator] = statuses
    return {
      title: `${path || 'the base path'}, guarded, answers nobody ${toNobody}, who guesses ${toGuess}, who is known ${toClerk} and who has the role ${toOperator}`,
      async attempt({ ask }) {
        for (const method of ['GET', 'HEAD']) {
          for (const [index, caller] of callers.entries()) {
            const answer = await ask(path, { ...caller, method })
            wantStatus(answer, statuses[index] ?? 0)
            if (answer.status === 401) wantField(answer, 'WWW-Authenticate', caller === guess ? refusal : challenge)
            else if (answer.status === 403) wantField(answer, 'WWW-Authenticate', challenge)
            else wantNoField(answer, 'WWW-Authenticate')
          }
        }
      },
    }
  }),
  {
    title: 'two lines of Authorization are no credentials, for nobody knows which of them counts',
    async attempt({ ask }) {
      const { Authorization = '' } = operator?.headers ?? {}
      const twice = { Authorization, authorization: Authorization }
      wantStatus(await ask('/metrics', { headers: twice }), 401)
      wantStatus(await ask('/metrics', { headers: { ...twice, authorization: 'Bearer guess' } }), 401)
    },
  },
  {
    title: 'who may not call is refused with an error document that nobody may keep, and HEAD has its fields',
    async attempt({ ask, at }) {
      const get = await ask('/metrics', clerk)
      wantStatus(get, 403)
      wantField(get, 'Content-Type', 'application/problem+json')
      wantField(get, 'Cache-Control', 'no-store')
      wantEqual(get, objectOf(get), {
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
        detail: 'Insufficient permissions.',
        instance: at('/metrics'),
      })
      const head = await ask('/metrics', { ...clerk, method: 'HEAD' })
      wantField(head, 'Content-Length', String(get.bytes.length))
      want(head, head.surplus === 0, 'nothing behind the header')
    },
  },
  {
    title: 'what can be done is told to nobody in particular, as a browser asks for it without credentials',
    async attempt({ ask }) {
      for (const path of ['/info', '/metrics']) {
        const answer = await ask(path, { method: 'OPTIONS' })
        wantStatus(answer, 204)
        wantField(answer, 'Allow', 'GET, HEAD, OPTIONS')
        wantStatus(await ask(path, { method: 'DELETE' }), 405)
      }
      wantStatus(await ask('/prometheus', { method: 'OPTIONS' }), 404)
    },
  },
  {
    title: 'who is calling comes before what the copy of a caller could say',
    async attempt({ ask }) {
      const copy = { 'If-None-Match': fieldOf(await ask('/info', clerk), 'ETag') }
      wantStatus(await ask('/info', { headers: copy }), 401)
      wantStatus(await ask('/info', { headers: { ...copy, ...clerk?.headers } }), 304)
    },
  },
  {
    title: 'no cache that is for several may keep what is not for everybody',
    async attempt({ ask }) {
      const answer = await ask('/info', clerk)
      wantField(answer, 'Cache-Control', 'no-cache, private')
      wantField(answer, 'Vary', 'Accept, Authorization')
      wantField(await ask(''), 'Cache-Control', 'max-age=60')
    },
  },
  {
    title: 'details are told to who has the role, and never what they were told to anybody else',
    async attempt({ ask }) {
      for (let round = 0; round < 3; round++) {
        const whole = await ask('/health', operator)
        const { components } = objectOf(whole)
        const db = isObject(components) ? components['db'] : undefined
        wantEqual(whole, db, { status: 'UP', details: { database: 'PostgreSQL 17' } })
        for (const stranger of [nobody, clerk, guess]) {
          const answer = await ask('/health', stranger)
          want(answer, !('components' in objectOf(answer)), 'no components')
        }
      }
    },
  },
  {
    title: 'the page at the base path links to whatever there is, whoever may call it',
    async attempt({ ask }) {
      const answer = await ask('')
      const { _links: links } = objectOf(answer)
      const names = ['self', 'health', 'health-path', 'info', 'metrics', 'metrics-requiredMetricName']
      wantEqual(answer, isObject(links) && Object.keys(links), names)
    },
  },
]

export const accessTrials: readonly Trial[] = accessCases.map((one) => ({ ...one, options }))
