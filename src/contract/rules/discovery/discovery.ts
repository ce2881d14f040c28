import { type Answer, listOf, want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { isObject, type JsonObject, objectOf } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { wantJson } from '../json-resource.ts'

const section = 'Management endpoints; Spring Boot Actuator, discovery page'

/** Whether a resource rejects GET because it only has other methods, such as POST of `shutdown`. */
function isOnlyForOtherMethods(answer: Answer): boolean {
  const allowed = listOf(answer, 'Allow')
  return answer.status === 405 && allowed.length > 0 && !allowed.includes('GET')
}

/** Links whose GET measures or dumps the process: it may take minutes and return gigabytes. */
const costly = /^(?:heapdump|profile|pprof)(?:-|$)/

/** Whether a resource that is too costly to be requested exists, by OPTIONS. */
function hasMethods(answer: Answer): boolean {
  return answer.status >= 200 && answer.status <= 299 && listOf(answer, 'Allow').length > 0
}

/** Wants an existing resource at the path of a link. */
async function wantResource(service: Service, name: string, path: string, also = ''): Promise<void> {
  if (costly.test(name)) {
    const answer = await service.askServer(path, { method: 'OPTIONS' })
    want(answer, hasMethods(answer), `status 2xx with Allow, as from an existing resource${also}`)
    return
  }
  const answer = await service.askServer(path)
  // Resources that only accept POST exist as well, and those that this process cannot serve.
  const isThere = [200, 501, 503].includes(answer.status) || isOnlyForOtherMethods(answer)
  want(answer, isThere, `status 200, 501 or 503, or 405 with Allow, as from an existing resource${also}`)
}

export const discoveryRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['links'], shared: true }, [
  {
    id: 'discovery.page.json',
    says: 'The index of links MUST be JSON, sent with 200.',
    section,
    async check(service) {
      const { answer } = await page(service)
      wantJson(answer, service)
    },
  },
  {
    id: 'discovery.links.shape',
    says: 'A link MUST be an object with a string href and a boolean templated.',
    section,
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
    says: 'The index MUST link to itself as self.',
    section,
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
    says: 'A link MUST be templated if its href contains a brace, and only then.',
    section,
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
    says: 'An href MUST be that of the index or below it, or lead to an existing resource elsewhere.',
    section,
    async check(service) {
      const { answer, hrefs: all } = await hrefs(service)
      const base = service.at('')
      const elsewhere = all.map(([name, href]) => [name, pathOf(href)] as const).filter(([, path]) => !isIn(base, path))
      for (const [name, path] of elsewhere) {
        const hasPlace = elsewhere.some(([, place]) => place !== path && isIn(place, path))
        const holds = path.startsWith('/') && (hasPlace || !path.includes('{'))
        want(answer, holds, `_links.${name} below ${base}, or below another link`)
        if (!path.includes('{')) await wantResource(service, name, path, `; or _links.${name} below ${base}`)
      }
    },
  },
  {
    id: 'discovery.links.answer',
    says: 'A link that is not templated MUST lead to an existing resource.',
    section,
    async check(service) {
      const { hrefs: all } = await hrefs(service)
      for (const [name, href] of all) {
        const path = pathOf(href)
        if (!href.includes('{') && isIn(service.at(''), path)) await wantResource(service, name, path)
      }
    },
  },
  {
    id: 'discovery.links.drill-down',
    says: 'The index SHOULD link to components and metrics by templates.',
    section,
    async check(service) {
      const { answer, links } = await page(service)
      if (await service.has('health')) want(answer, isObject(links['health-path']), 'a link health-path')
      if (await service.has('metrics'))
        want(answer, isObject(links['metrics-requiredMetricName']), 'a link metrics-requiredMetricName')
    },
  },
  {
    id: 'discovery.links.own-host',
    says: 'Links SHOULD have the host of the request.',
    section,
    async check(service) {
      // A server that listens on a loopback address may reject any other name, against DNS rebinding.
      for (const host of ['contract.example:8443', 'localhost:8443']) {
        const answer = await service.ask('', { headers: { Host: host } })
        if (answer.status === 421) continue
        wantStatus(answer, 200)
        const { _links: links } = objectOf(answer)
        const self = isObject(links) && isObject(links['self']) ? String(links['self']['href']) : ''
        const isOwn = ['/', `http://${host}/`, `https://${host}/`].some((start) => self.startsWith(start))
        return want(answer, isOwn, `links to ${host}, or without a host`)
      }
      skip('the service rejects requests with other names in Host (421)')
    },
  },
])

/** Whether a path is a place or below it. */
function isIn(place: string, path: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** Requests the index of links. */
async function page(service: Service): Promise<{ readonly answer: Answer; readonly links: JsonObject }> {
  const answer = await service.ask('')
  wantStatus(answer, 200)
  const { _links: links } = objectOf(answer)
  want(answer, isObject(links), 'a member _links that is an object')
  return { answer, links }
}

/** Returns the well-formed links; malformed ones are covered by another rule. */
export async function hrefs(
  service: Service,
): Promise<{ readonly answer: Answer; readonly hrefs: readonly (readonly [string, string])[] }> {
  const { answer, links } = await page(service)
  return {
    answer,
    hrefs: Object.entries(links).map(([name, link]) => [name, isObject(link) ? String(link['href']) : ''] as const),
  }
}

/** Returns the path of a link. A template is not a URL and cannot be parsed as one. */
export function pathOf(href: string): string {
  return href.replace(/^[a-z]+:\/\/[^/]*/i, '')
}
