import type { Report } from '../report.ts'
import type { InfoContributor, InfoPart } from './contributor.ts'

const deadlineMilliseconds = 5_000

/**
 * The parts of all contributors as one object; of two parts of one name the later is told. A contributor that fails, or
 * takes longer than five seconds, costs its own part.
 */
export async function collectInfo(contributors: readonly InfoContributor[], report: Report): Promise<InfoPart> {
  const parts = await Promise.all(
    contributors.map(async (contribute) => {
      try {
        return toJson(await answerInTime(contribute))
      } catch (error) {
        report('an info contributor failed', error)
        return {}
      }
    }),
  )
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
}

async function answerInTime(contribute: InfoContributor): Promise<InfoPart | undefined> {
  let deadline: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const reason = new DOMException(`no answer within ${deadlineMilliseconds} ms`, 'TimeoutError')
    deadline = setTimeout(reject, deadlineMilliseconds, reason)
    deadline.unref?.()
  })
  try {
    return await Promise.race([contribute(), late])
  } finally {
    clearTimeout(deadline)
  }
}

/** @throws TypeError for a part that is no object of JSON values. */
function toJson(part: InfoPart | undefined): InfoPart {
  if (part === undefined) return {}
  const json: unknown = typeof part === 'object' ? JSON.parse(JSON.stringify(part)) : part
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TypeError('an info contributor must answer an object, or undefined for nothing')
  }
  return { ...json }
}
