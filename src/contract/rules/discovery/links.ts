import { type Answer, want, wantStatus } from '../../answer.ts'
import { isObject, type JsonObject, objectOf } from '../../json.ts'
import type { Service } from '../../service.ts'

/** Requests the index of links. */
export async function page(service: Service): Promise<{ readonly answer: Answer; readonly links: JsonObject }> {
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
