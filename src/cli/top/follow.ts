import { messageOf } from '../../base/callback.ts'
import { timeOf } from './formats.ts'
import type { TopQuery, TopSample, TopSource } from './top-sample.ts'

/** What is known of a service after an attempt to read it. */
export interface Followed {
  /** The latest one. */
  readonly sample: TopSample | undefined
  /** Why the attempt failed. */
  readonly problem: string | undefined
  /** What has changed, such as the version. */
  readonly notice: string | undefined
  /** When to read it again. */
  readonly delayMilliseconds: number
}

const maxDelayMilliseconds = 30_000

/**
 * Returns a function that reads a sample. After a failure it connects again, with growing delays: what is there then
 * may be another version.
 */
export function follow(
  connect: () => Promise<TopSource>,
  intervalMilliseconds: number,
): (query: TopQuery) => Promise<Followed> {
  let source: TopSource | undefined
  let failures = 0
  let latest: Followed = { sample: undefined, problem: undefined, notice: undefined, delayMilliseconds: 0 }
  let started: TopSample['application'] = {}
  let member: string | undefined
  return async (query) => {
    try {
      source ??= await connect()
      const sample = await source.read(query)
      failures = 0
      const { application, members } = sample
      if (query.member !== member) started = {}
      member = query.member
      // Members that share a port respond in turns.
      const isSame = members.length > 1 && member === undefined && application.version === started.version
      const isLater = (application.startedAt ?? 0) > (started.startedAt ?? Number.POSITIVE_INFINITY)
      const isRestarted = isLater && !isSame
      const notice = isRestarted ? describeRestart(started.version, sample) : latest.notice
      if (isRestarted || started.startedAt === undefined) started = application
      latest = { sample, problem: undefined, notice, delayMilliseconds: intervalMilliseconds }
    } catch (error) {
      source = undefined
      const longest = Math.max(maxDelayMilliseconds, intervalMilliseconds)
      const delayMilliseconds = Math.min(intervalMilliseconds * 2 ** failures, longest)
      failures += 1
      latest = { ...latest, problem: messageOf(error), delayMilliseconds }
    }
    return latest
  }
}

function describeRestart(before: string | undefined, { application: { startedAt, version } }: TopSample): string {
  const now = `version ${version ?? 'not known'}`
  const change = before === version ? '' : `, before ${before ?? 'not known'}`
  return `restarted at ${timeOf(startedAt ?? 0)}: ${now}${change}`
}
