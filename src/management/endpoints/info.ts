import type { Report } from '../../base/report.ts'
import { createInfoReader } from '../info/collect-info.ts'
import type { InfoContributor } from '../info/contributor.ts'
import type { Endpoint } from './endpoint.ts'
import { describeJson, json } from './json-representation.ts'

/**
 * `info`: what the application reports about itself, `{}` by default. With `changesByItself` it is not stored by caches
 * and has no entity tag, which would differ at every request.
 */
export function infoEndpoint(
  contributors: readonly InfoContributor[],
  report: Report,
  { changesByItself = false }: { readonly changesByItself?: boolean | undefined } = {},
): Endpoint {
  const readInfo = createInfoReader(contributors, report)
  const caching = changesByItself ? 'no-store' : 'no-cache'
  const get = async () => json(await readInfo(), caching)
  const summary = 'Information about the application.'
  const responses = [{ status: 200, description: summary, content: describeJson({ type: 'object' }) }]
  return {
    id: 'info',
    routes: [{ path: 'info', resource: { access: 'public', get } }],
    describe: () => ({ info: { GET: { summary, responses } } }),
  }
}
