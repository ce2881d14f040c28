import { createInfoReader } from '../info/collect-info.ts'
import type { InfoContributor } from '../info/contributor.ts'
import type { Report } from '../report.ts'
import type { Endpoint } from './endpoint.ts'
import { json } from './json.ts'

/** `info`: what the application tells of itself, `{}` when that is nothing. */
export function infoEndpoint(contributors: readonly InfoContributor[], report: Report): Endpoint {
  const readInfo = createInfoReader(contributors, report)
  const get = async () => json(await readInfo(), 'no-cache')
  return { id: 'info', routes: [{ path: 'info', link: 'info', resource: { get } }] }
}
