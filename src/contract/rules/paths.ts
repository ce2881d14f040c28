import { type Answer, want, wantClientError, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import type { Rule } from '../rule.ts'
import type { Service } from '../service.ts'
import { skip } from '../skip.ts'

const section = 'Path conventions for resources'

/** A rule that an address is nobody's, though it looks like one. */
function isNothing(id: string, says: string, target: (service: Service) => string, shared = false): Rule {
  return {
    id: `conventions.paths.${id}`,
    says,
    section,
    needs: ['health'],
    shared,
    async check(service) {
      wantClientError(await askForTarget(service, target(service)))
    },
  }
}

/** A rule that dots in a path lead nowhere, and not to health, where a server that makes a URL of the path leads them. */
function isNotHealth(id: string, says: string, path: string): Rule {
  return {
    id: `conventions.paths.${id}`,
    says,
    section,
    needs: ['health'],
    async check(service) {
      const answer = await askForTarget(service, service.at(path))
      const reason = service.settings.unsupported?.rawTargets
      if (reason !== undefined && (answer.status < 400 || answer.status > 499)) {
        const status = objectOf(await service.ask('/health'))['status']
        want(
          answer,
          objectOf(answer)['status'] === status,
          'a status from 400 to 499, or the health that a URL leads to',
        )
        skip(reason)
      }
      wantClientError(answer)
    },
  }
}

function askForTarget(service: Service, target: string): Promise<Answer> {
  return service.askApplication(target.slice(service.at('').length - service.settings.basePath.length))
}

export const pathRules: readonly Rule[] = [
  isNothing('trailing-slash', 'A path with a slash at its end MUST be another path.', (service) =>
    service.at('/health/'),
  ),
  isNothing('double-slash', 'An empty segment MUST NOT be passed over.', (service) => service.at('//health')),
  isNotHealth('dot', 'A dot segment MUST NOT be resolved by the service.', '/./health'),
  isNotHealth('dots', 'Dot segments MUST NOT lead anywhere.', '/info/../health'),
  isNothing('encoded-slash', 'An encoded slash MUST NOT separate segments.', (service) =>
    service.at('/health%2fliveness'),
  ),
  isNotHealth('encoded-dots', 'Encoded dots MUST NOT lead anywhere.', '/info/%2e%2e/health'),
  isNothing('case', 'A path in other letters MUST be another path.', (service) => service.at('/HEALTH'), true),
  isNothing('extension', 'A file extension MUST NOT be part of a path.', (service) => service.at('/health.json'), true),
  isNothing('parameter', 'A path parameter MUST NOT be passed over.', (service) => service.at('/health;x=1')),
  isNothing('nul', 'An encoded control character MUST NOT address anything.', (service) => service.at('/health%00')),
  isNothing(
    'broken-encoding',
    'A path that is not percent-encoded UTF-8 MUST be answered with a 4xx.',
    (service) => service.at('/%zz'),
    true,
  ),
  isNothing('broken-utf8', 'Bytes that are no UTF-8 MUST be answered with a 4xx.', (service) =>
    service.at('/health/%ff'),
  ),
  isNothing(
    'long',
    'A path of 4 KiB MUST be answered with a 4xx.',
    (service) => service.at(`/${'a'.repeat(4096)}`),
    true,
  ),
  isNothing(
    'deep',
    'A path of 500 segments MUST be answered with a 4xx.',
    (service) => service.at(`/health${'/a'.repeat(500)}`),
    true,
  ),
  {
    id: 'conventions.paths.no-302',
    says: '302 MUST NOT be used, for whatever path.',
    section: 'Errors, 302',
    needs: ['health'],
    shared: true,
    async check(service) {
      for (const path of ['', '/', '/health', '/health/', '/no-such-endpoint']) {
        const answer = await service.ask(path)
        want(answer, answer.status !== 302, 'a status other than 302')
      }
    },
  },
  {
    id: 'conventions.paths.goes-on',
    says: 'The service MUST go on serving whatever it was asked for.',
    section: 'Errors, 500',
    needs: ['health'],
    shared: true,
    async check(service) {
      for (const path of ['/%', '/%E0', '/health/%C0%AF', `/${'%'.repeat(50)}`, '/health?%=%&fields=%']) {
        const answer = await service.ask(path)
        want(answer, answer.status < 500, 'a status below 500')
      }
      wantStatus(await service.ask('/health/liveness'), 200)
    },
  },
]
