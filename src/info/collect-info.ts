import type { Report } from '../report.ts'
import type { InfoContributor, InfoPart } from './contributor.ts'

/**
 * The parts of all contributors as one object; of two parts of one name the later is told. A contributor that fails
 * costs its own part.
 */
export async function collectInfo(contributors: readonly InfoContributor[], report: Report): Promise<InfoPart> {
  const parts = await Promise.all(
    contributors.map(async (contribute) => {
      try {
        return toJson(await contribute())
      } catch (error) {
        report('an info contributor failed', error)
        return {}
      }
    }),
  )
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
}

/** @throws TypeError for a part that is no object of JSON values. */
function toJson(part: InfoPart | undefined): InfoPart {
  if (part === undefined) return {}
  if (typeof part !== 'object' || part === null || Array.isArray(part)) {
    throw new TypeError('an info contributor must answer an object, or undefined for nothing')
  }
  return JSON.parse(JSON.stringify(part))
}
