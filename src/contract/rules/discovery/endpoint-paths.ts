import { want, wantStatus } from '../../answer.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { hrefs, pathOf } from './discovery.ts'

export const endpointPathRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['links'], shared: true }, [
  {
    id: 'discovery.paths.form',
    says: 'Paths of endpoints MUST have no trailing slash, underscore or file extension.',
    section: 'Path conventions for resources',
    async check(service) {
      const { answer, hrefs: all } = await hrefs(service)
      for (const [name, href] of all) {
        const path = pathOf(href).replaceAll(/\{[^{}]*\}/g, 'x')
        want(
          answer,
          !/\/$|_|\.[a-z]{2,4}$/.test(path),
          `a path of _links.${name} without trailing slash, underscore or extension`,
        )
      }
    },
  },
  {
    id: 'discovery.paths.no-version',
    says: 'Paths of endpoints MUST NOT have a version.',
    section: 'Versioning',
    async check(service) {
      const { answer, hrefs: all } = await hrefs(service)
      const below = all.map(([name, href]) => [name, pathOf(href).slice(service.at('').length)] as const)
      for (const [name, path] of below)
        want(answer, !/\/v\d+(\/|$)/i.test(path), `a path of _links.${name} without a version`)
    },
  },
  {
    id: 'discovery.unknown-404',
    says: 'An endpoint that is not exposed MUST respond with 404.',
    section: 'Errors',
    needs: ['health'],
    check: async (service) => wantStatus(await service.ask('/no-such-endpoint'), 404),
  },
  {
    id: 'discovery.inherited-name-404',
    says: 'A name from Object.prototype MUST NOT be an endpoint.',
    section: 'Errors',
    needs: ['health'],
    async check(service) {
      for (const name of ['__proto__', 'constructor', 'toString']) wantStatus(await service.ask(`/${name}`), 404)
    },
  },
])
