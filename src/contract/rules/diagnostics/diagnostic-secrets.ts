import { want, wantStatus } from '../../answer.ts'
import { isObject, type Json, objectOf } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { askPermitted, readablePaths } from './guarded.ts'

const section = 'Authentication'

/** A secret that nothing may show once it was sent. */
const canary = 'contract-canary-5b1e7f3a'

/** The end of a log file is enough: the requests of a case are there. */
const ofLogFile = { headers: { Range: 'bytes=-65536' } }

/** Sends the canary to the application, then searches what the endpoints show. */
async function searchCanary(
  service: Service,
  send: (route: string) => Promise<unknown>,
  paths: readonly string[],
): Promise<void> {
  await send(service.settings.route ?? '/')
  for (const path of paths) {
    const answer = await askPermitted(service, path, path === '/logfile' ? ofLogFile : {})
    want(answer, !answer.text.includes(canary), `a response without ${canary}, which was sent as a secret`)
  }
}

export const diagnosticSecretRules: readonly Rule[] = [
  {
    id: 'diagnostics.secrets.credentials',
    says: 'Credentials and cookies of a request MUST NOT be shown by any endpoint.',
    section,
    shared: true,
    async check(service) {
      const headers = { Authorization: `Bearer ${canary}`, Cookie: `session=${canary}` }
      const send = (route: string) => service.askApplication(route, { headers })
      await searchCanary(service, send, await readablePaths(service))
    },
  },
  {
    id: 'diagnostics.secrets.query',
    says: 'A token in the query of a request MUST NOT be shown by endpoints; the log file is of the application.',
    section,
    async check(service) {
      const send = (route: string) => service.askApplication(`${route}?access_token=${canary}`)
      const paths = await readablePaths(service)
      await searchCanary(
        service,
        send,
        paths.filter((path) => path !== '/logfile'),
      )
    },
  },
  {
    id: 'diagnostics.secrets.masked',
    says: 'Values of env whose names are those of secrets MUST be masked, and URLs have no user information.',
    section,
    endpoint: 'env',
    shared: true,
    async check(service) {
      const answer = await askPermitted(service, '/env')
      wantStatus(answer, 200)
      for (const [name, value] of propertiesOf(objectOf(answer)['propertySources'])) {
        const isSecret = /(?:passwd|password|secret|credentials?|api[-_.]?key|private[-_.]?key|token)$/i.test(name)
        want(answer, !isSecret || !/[^*\s]/.test(value), `${name} masked`)
        want(answer, !/:\/\/[^/\s:@]*:[^/\s@*]+@/.test(value), `${name} without credentials`)
      }
    },
  },
]

function* propertiesOf(sources: Json | undefined): Generator<readonly [name: string, value: string]> {
  if (!Array.isArray(sources)) return
  for (const source of sources) {
    if (!isObject(source) || !isObject(source['properties'])) continue
    for (const [name, property] of Object.entries(source['properties'])) {
      if (isObject(property) && typeof property['value'] === 'string') yield [name, property['value']]
    }
  }
}
