import { type Answer, listOf, want, wantStatus } from '../answer.ts'
import { isObject, objectOf } from '../json.ts'
import type { Rule } from '../rule.ts'
import { hrefs, page, pathOf } from './links.ts'
import { wantJson } from './media-types.ts'

const section = 'Management endpoints; Spring Boot Actuator, discovery page'

/** Whether a resource refuses GET because it takes other methods only, such as POST of `shutdown`. */
function isOnlyForOtherMethods(answer: Answer): boolean {
  const allowed = listOf(answer, 'Allow')
  return answer.status === 405 && allowed.length > 0 && !allowed.includes('GET')
}

export const discoveryRules: readonly Rule[] = [
  {
    id: 'discovery.page.json',
    says: 'The page of links MUST be JSON, sent with 200.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const { answer } = await page(service)
      wantJson(answer, service)
    },
  },
  {
    id: 'discovery.links.shape',
    says: 'Each link MUST be an object with a text href and a boolean templated.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const { answer, links } = await page(service)
      for (const [name, link] of Object.entries(links)) {
        const holds = isObject(link) && typeof link['href'] === 'string' && typeof link['templated'] === 'boolean'
        want(answer, holds, `_links.${name} with href and templated`)
      }
    },
  },
  {
    id: 'discovery.links.self',
    says: 'The page MUST link to itself as self.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const { answer, hrefs: all } = await hrefs(service)
      const self = new Map(all).get('self')
      want(
        answer,
        self !== undefined && pathOf(self) === service.at(''),
        `_links.self.href that ends in ${service.at('')}`,
      )
    },
  },
  {
    id: 'discovery.links.templated',
    says: 'A link MUST be marked as templated where its href holds a brace, and nowhere else.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const { answer, links } = await page(service)
      for (const [name, link] of Object.entries(links)) {
        const wanted = isObject(link) && String(link['href']).includes('{')
        want(answer, isObject(link) && link['templated'] === wanted, `_links.${name}.templated: ${wanted}`)
      }
    },
  },
  {
    id: 'discovery.links.below-base',
    says: 'Each href MUST lead to the page or below it.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const { answer, hrefs: all } = await hrefs(service)
      for (const [name, href] of all) {
        const path = pathOf(href)
        want(
          answer,
          path === service.at('') || path.startsWith(`${service.at('')}/`),
          `_links.${name} below ${service.at('')}`,
        )
      }
    },
  },
  {
    id: 'discovery.links.answer',
    says: 'Each link that is no template MUST lead to a resource that is there.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const { hrefs: all } = await hrefs(service)
      const base = service.at('')
      for (const [, href] of all) {
        if (href.includes('{') || !pathOf(href).startsWith(base)) continue
        const answer = await service.ask(pathOf(href).slice(base.length))
        // What can only be posted to is there, too.
        const isThere = answer.status === 200 || answer.status === 503 || isOnlyForOtherMethods(answer)
        want(answer, isThere, 'status 200 or 503, or 405 with Allow, as from a resource that is linked')
      }
    },
  },
  {
    id: 'discovery.links.drill-down',
    says: 'The page SHOULD link to the addresses of components and of metrics by templates.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const { answer, links } = await page(service)
      if (await service.has('health')) want(answer, isObject(links['health-path']), 'a link health-path')
      if (await service.has('metrics'))
        want(answer, isObject(links['metrics-requiredMetricName']), 'a link metrics-requiredMetricName')
    },
  },
  {
    id: 'discovery.links.own-host',
    says: 'Links SHOULD lead to the host that was asked.',
    section,
    needs: ['links'],
    shared: true,
    async check(service) {
      const answer = await service.ask('', { headers: { Host: 'contract.example:8443' } })
      wantStatus(answer, 200)
      const { _links: links } = objectOf(answer)
      const self = isObject(links) && isObject(links['self']) ? String(links['self']['href']) : ''
      want(
        answer,
        /^https?:\/\/contract\.example:8443\//.test(self) || self.startsWith('/'),
        'links to contract.example:8443, or without a host',
      )
    },
  },
]
