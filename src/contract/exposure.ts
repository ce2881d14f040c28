import type { Answer } from './answer.ts'
import { isObject, type Json } from './json.ts'

type Get = (path: string) => Promise<Answer>

/** Returns the ids of the exposed endpoints, from the index of links or, without one, by requesting them. */
export async function findExposed(get: Get): Promise<ReadonlySet<string>> {
  const page = await get('')
  const linked = page.status === 200 ? linkedIds(page.text) : undefined
  if (linked !== undefined) return new Set(['links', ...linked])
  const exposed = new Set<string>()
  for (const id of ['health', 'info', 'metrics', 'prometheus']) {
    if ((await get(`/${id}`)).status !== 404) exposed.add(id)
  }
  return exposed
}

function linkedIds(text: string): readonly string[] | undefined {
  try {
    const page: Json = JSON.parse(text)
    return isObject(page) && isObject(page['_links']) ? Object.keys(page['_links']) : undefined
  } catch {
    return undefined
  }
}
