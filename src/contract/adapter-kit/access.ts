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

/** A management whose endpoints require different roles. */
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

/** Challenge after an invalid token (RFC 6750 §3.1). */
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
      title:
        `${path || 'the base path'}, protected, responds with ${toNobody} without credentials, ` +
        `${toGuess} to invalid ones, ${toClerk} without the role and ${toOperator} with it`,
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
    title: 'two Authorization fields are rejected as no credentials, since they are ambiguous',
    async attempt({ ask }) {
      const { Authorization = '' } = operator?.headers ?? {}
      const twice = { Authorization, authorization: Authorization }
      wantStatus(await ask('/metrics', { headers: twice }), 401)
      wantStatus(await ask('/metrics', { headers: { ...twice, authorization: 'Bearer guess' } }), 401)
    },
  },
  {
    title: 'an unauthorized request is rejected with a problem document that is not cached; HEAD has the same fields',
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
      want(head, head.surplus === 0, 'no bytes after the header section')
    },
  },
  {
    title: 'OPTIONS needs no credentials, as browsers send none in a preflight',
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
    title: 'authorization precedes preconditions',
    async attempt({ ask }) {
      const copy = { 'If-None-Match': fieldOf(await ask('/info', clerk), 'ETag') }
      wantStatus(await ask('/info', { headers: copy }), 401)
      wantStatus(await ask('/info', { headers: { ...copy, ...clerk?.headers } }), 304)
    },
  },
  {
    title: 'shared caches must not store responses that require authorization',
    async attempt({ ask }) {
      const answer = await ask('/info', clerk)
      wantField(answer, 'Cache-Control', 'no-cache, private')
      wantField(answer, 'Vary', 'Accept, Authorization')
      wantField(await ask(''), 'Cache-Control', 'max-age=60')
    },
  },
  {
    title: 'details are shown to callers with the role, and never reach anyone else',
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
    title: 'the index links to all exposed endpoints, including those that the caller may not use',
    async attempt({ ask }) {
      const answer = await ask('')
      const { _links: links } = objectOf(answer)
      const names = ['self', 'health', 'health-path', 'info', 'metrics', 'metrics-requiredMetricName']
      wantEqual(answer, isObject(links) && Object.keys(links), names)
    },
  },
]

export const accessTrials: readonly Trial[] = accessCases.map((one) => ({ ...one, options }))
