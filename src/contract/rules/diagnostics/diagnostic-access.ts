import { listOf, want, wantFieldLike, wantStatus } from '../../answer.ts'
import type { Rule } from '../../rule.ts'
import { askPermitted, guardedPaths, readablePaths } from './guarded.ts'

const authentication = 'Authentication'

/** Histories and measurements, which differ at each request. */
const momentary = ['threaddump', 'httpexchanges', 'scheduledtasks']

export const diagnosticAccessRules: readonly Rule[] = [
  {
    id: 'diagnostics.access.stranger',
    says: 'Endpoints that show or change the process MUST require credentials.',
    section: authentication,
    async check(service) {
      for (const { endpoint, path, asking } of await guardedPaths(service)) {
        // Not POST: it would end a service that does not require credentials.
        if (endpoint === 'shutdown') continue
        wantStatus(await service.ask(path, { ...asking, stranger: true }), 401, 403)
      }
    },
  },
  {
    id: 'diagnostics.access.wrong-token',
    says: 'Endpoints that show or change the process MUST refuse invalid credentials.',
    section: authentication,
    async check(service) {
      for (const { endpoint, path, asking } of await guardedPaths(service)) {
        if (endpoint === 'shutdown') continue
        const headers = { ...asking.headers, Authorization: 'Bearer not-the-token-of-anybody' }
        wantStatus(await service.ask(path, { ...asking, headers }), 401, 403)
      }
    },
  },
  {
    id: 'diagnostics.access.cross-site',
    says: 'A page of another site MUST NOT cause a dump or another read of the process.',
    section: 'Fetch Metadata, Sec-Fetch-Site',
    needs: ['authorization'],
    async check(service) {
      for (const { endpoint, path, asking } of await guardedPaths(service)) {
        if (endpoint === 'shutdown') continue
        const headers = { ...asking.headers, 'Sec-Fetch-Site': 'cross-site' }
        wantStatus(await service.ask(path, { ...asking, headers }), 403)
      }
    },
  },
  {
    id: 'diagnostics.caching.not-shared',
    says: 'What endpoints show of the process MUST NOT be stored by shared caches.',
    section: 'RFC 9111 §3.5',
    async check(service) {
      for (const path of await readablePaths(service)) {
        const answer = await askPermitted(service, path)
        if (answer.status === 200)
          wantFieldLike(answer, 'Cache-Control', /\b(no-store|private)\b/, 'no-store or private')
      }
    },
  },
  {
    id: 'diagnostics.caching.no-store',
    says: 'Thread dumps and histories MUST NOT be stored.',
    section: 'Conventions for endpoints, headers',
    async check(service) {
      for (const path of await readablePaths(service)) {
        if (!momentary.includes(path.slice(1))) continue
        wantFieldLike(await askPermitted(service, path), 'Cache-Control', /\bno-store\b/, 'no-store')
      }
    },
  },
  {
    id: 'diagnostics.methods.405',
    says: 'PUT of an endpoint that shows or changes the process MUST be rejected with 405 and Allow.',
    section: 'Errors, 405',
    shared: true,
    async check(service) {
      for (const { endpoint, path } of await guardedPaths(service)) {
        const headers = { 'Content-Type': 'application/json' }
        const answer = await askPermitted(service, path, { method: 'PUT', headers, content: '{}' })
        wantStatus(answer, 405)
        const method = endpoint === 'shutdown' ? 'POST' : 'GET'
        want(answer, listOf(answer, 'Allow').includes(method), `Allow with ${method}`)
      }
    },
  },
  {
    id: 'diagnostics.methods.options',
    says: 'OPTIONS MUST respond with 2xx and Allow, without a dump.',
    section: 'RFC 9110 §9.3.7',
    shared: true,
    async check(service) {
      for (const { endpoint, path } of await guardedPaths(service)) {
        const answer = await askPermitted(service, path, { method: 'OPTIONS' })
        wantStatus(answer, 200, 204)
        const method = endpoint === 'shutdown' ? 'POST' : 'GET'
        want(answer, listOf(answer, 'Allow').includes(method), `Allow with ${method}`)
      }
    },
  },
  {
    id: 'diagnostics.shutdown.get-405',
    says: 'GET of shutdown MUST be rejected with 405, and Allow list POST only.',
    section: 'Errors, 405',
    endpoint: 'shutdown',
    shared: true,
    async check(service) {
      const answer = await askPermitted(service, '/shutdown')
      wantStatus(answer, 405)
      const allowed = listOf(answer, 'Allow')
      want(answer, allowed.includes('POST') && !allowed.includes('GET'), 'Allow with POST and without GET')
    },
  },
  {
    id: 'diagnostics.profile.bad-query',
    says: 'A profile of an invalid duration MUST be rejected with 400, before it begins.',
    section: 'Errors, 400',
    endpoint: 'profile',
    async check(service) {
      for (const seconds of ['0', '-1', 'soon', '1e9']) {
        wantStatus(await askPermitted(service, `/profile?seconds=${seconds}`), 400)
      }
    },
  },
]
