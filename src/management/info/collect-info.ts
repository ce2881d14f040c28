import { onlyFirst } from '../../base/callback.ts'
import { withDeadline } from '../../base/deadline.ts'
import { describeValue } from '../../base/describe-value.ts'
import { invalidReturn } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'
import type { InfoContributor, InfoPart } from './contributor.ts'

const deadlineMilliseconds = 5_000

/**
 * Creates a function that merges the parts of all contributors into one object; of two members with the same name the
 * later one is used. If a contributor fails or takes longer than five seconds, its part is omitted and the error is
 * reported once.
 */
export function createInfoReader(contributors: readonly InfoContributor[], report: Report): () => Promise<InfoPart> {
  const readers = contributors.map((contribute) => {
    const failed = onlyFirst((error) => report('an info contributor failed', error))
    return async (): Promise<InfoPart> => {
      try {
        return toJson(await withDeadline(readPart(contribute), deadlineMilliseconds, 'an info contributor'))
      } catch (error) {
        failed(error)
        return {}
      }
    }
  })
  return async () => {
    const parts = await Promise.all(readers.map((read) => read()))
    return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
  }
}

async function readPart(contribute: InfoContributor): Promise<InfoPart | undefined> {
  return contribute()
}

/** @throws TypeError if the part cannot be serialized as a JSON object. */
function toJson(part: InfoPart | undefined): InfoPart {
  if (part === undefined) return {}
  const json: unknown = typeof part === 'object' ? JSON.parse(JSON.stringify(part)) : part
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalidReturn(`expected an object or undefined from an info contributor, received ${describeValue(json)}`)
  }
  return { ...json }
}
