import { type Answer, want, wantClientError, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { objectOf } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'

const section = 'Path conventions for resources'

/** A rule about the response to a path. */
function pathRule(id: string, says: string, check: Rule['check'], shared = false): Rule {
  return { id: `conventions.paths.${id}`, says, section, shared, check }
}

/** A rule that a path addresses nothing, although it resembles one that does. */
function isNothing(id: string, says: string, target: (service: Service) => string, shared = false): Rule {
  const check = async (service: Service) => wantClientError(await askForTarget(service, target(service)))
  return pathRule(id, says, check, shared)
}

/** A rule that dot segments do not lead to health, except for a server that resolves them first. */
function isNotHealth(id: string, says: string, path: string): Rule {
  return pathRule(id, says, async (service) => {
    const answer = await askForTarget(service, service.at(path))
    const reason = service.settings.unsupported?.rawTargets
    if (reason !== undefined && (answer.status < 400 || answer.status > 499)) {
      const status = objectOf(await service.ask('/health'))['status']
      want(
        answer,
        objectOf(answer)['status'] === status,
        'a status from 400 to 499, or the health that the resolved path leads to',
      )
      skip(reason)
    }
    wantClientError(answer)
  })
}

/** A rule that a slash too many leads nowhere, except on a server that redirects to the path without it. */
function isNotRepaired(id: string, says: string, path: string): Rule {
  return pathRule(id, says, async (service) => {
    const answer = await askForTarget(service, service.at(path))
    const reason = service.settings.unsupported?.rawTargets
    const isRedirect = answer.status === 301 || answer.status === 308
    if (reason !== undefined && isRedirect && answer.fields.get('location')?.endsWith(service.at('/health')))
      skip(reason)
    wantClientError(answer)
  })
}

function askForTarget(service: Service, target: string): Promise<Answer> {
  return service.askApplication(target.slice(service.at('').length - service.settings.basePath.length))
}

export const pathRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['health'], shared: true }, [
  isNotRepaired('trailing-slash', 'A trailing slash MUST NOT be ignored.', '/health/'),
  isNotRepaired('double-slash', 'An empty segment MUST NOT be ignored.', '//health'),
  isNotHealth('dot', 'A dot segment MUST NOT be resolved by the service.', '/./health'),
  isNotHealth('dots', 'Dot segments MUST NOT address anything.', '/info/../health'),
  isNothing('encoded-slash', 'An encoded slash MUST NOT separate segments.', (service) =>
    service.at('/health%2fliveness'),
  ),
  isNotHealth('encoded-dots', 'Encoded dots MUST NOT address anything.', '/info/%2e%2e/health'),
  isNothing('case', 'Paths MUST be case-sensitive.', (service) => service.at('/HEALTH'), true),
  isNothing('extension', 'A file extension MUST NOT be ignored.', (service) => service.at('/health.json'), true),
  isNothing('parameter', 'A path parameter MUST NOT be ignored.', (service) => service.at('/health;x=1')),
  isNothing('nul', 'An encoded control character MUST NOT address anything.', (service) => service.at('/health%00')),
  isNothing(
    'broken-encoding',
    'A path that is not percent-encoded UTF-8 MUST be rejected with a 4xx.',
    (service) => service.at('/%zz'),
    true,
  ),
  isNothing('broken-utf8', 'Bytes that are not UTF-8 MUST be rejected with a 4xx.', (service) =>
    service.at('/health/%ff'),
  ),
  isNothing(
    'long',
    'A path of 4 KiB MUST be rejected with a 4xx.',
    (service) => service.at(`/${'a'.repeat(4096)}`),
    true,
  ),
  isNothing(
    'deep',
    'A path of 500 segments MUST be rejected with a 4xx.',
    (service) => service.at(`/health${'/a'.repeat(500)}`),
    true,
  ),
  {
    id: 'conventions.paths.no-302',
    says: '302 MUST NOT be used for any path.',
    section: 'Errors, 302',
    async check(service) {
      for (const path of ['', '/', '/health', '/health/', '/no-such-endpoint']) {
        const answer = await service.ask(path)
        want(answer, answer.status !== 302, 'a status other than 302')
      }
    },
  },
  {
    id: 'conventions.paths.goes-on',
    says: 'The service MUST keep serving after any request.',
    section: 'Errors, 500',
    async check(service) {
      for (const path of ['/%', '/%E0', '/health/%C0%AF', `/${'%'.repeat(50)}`, '/health?%=%&fields=%']) {
        const answer = await service.ask(path)
        want(answer, answer.status < 500, 'a status below 500')
      }
      wantStatus(await service.ask('/health/liveness'), 200)
    },
  },
])
