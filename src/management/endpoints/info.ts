import type { Report } from '../../base/report.ts'
import { createInfoReader } from '../info/collect-info.ts'
import type { InfoContributor } from '../info/contributor.ts'
import type { Endpoint } from './endpoint.ts'
import { json } from './json.ts'

/**
 * `info`: what the application reports about itself, `{}` when that is nothing. What changes by itself is not stored by
 * caches, and has no entity tag: it would be another at each request.
 */
export function infoEndpoint(
  contributors: readonly InfoContributor[],
  report: Report,
  { changesByItself = false }: { readonly changesByItself?: boolean | undefined } = {},
): Endpoint {
  const readInfo = createInfoReader(contributors, report)
  const caching = changesByItself ? 'no-store' : 'no-cache'
  const get = async () => json(await readInfo(), caching)
  return { id: 'info', routes: [{ path: 'info', link: 'info', resource: { get } }] }
}
