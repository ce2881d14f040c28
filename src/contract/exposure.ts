import type { Answer } from './answer.ts'
import { isObject, type Json } from './json.ts'

/** The endpoints for which the rules about every endpoint are checked, beside `ContractOptions.endpoints`. */
export const knownEndpoints: readonly string[] = ['health', 'info', 'metrics', 'prometheus']

type Get = (path: string) => Promise<Answer>

/**
 * Returns the ids of the endpoints that a service exposes: those on its discovery page, or, without such a page, those
 * of `candidates` that respond.
 */
export async function findExposed(get: Get, candidates: readonly string[]): Promise<ReadonlySet<string>> {
  const page = await get('')
  const linked = page.status === 200 ? linkedIds(page.text) : undefined
  if (linked !== undefined) return new Set(['links', ...linked])
  const exposed = new Set<string>()
  for (const id of candidates) {
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
