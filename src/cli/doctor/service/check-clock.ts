import { finding, type Outcome, ok, unchecked } from '../outcome.ts'

const maxMilliseconds = 2_000

/** When a request was sent, and when its response was received, in milliseconds since the epoch. */
interface Exchange {
  readonly sentAt: number
  readonly receivedAt: number
  /** The field `Date`, which has whole seconds. */
  readonly date: string | undefined
}

/** Compares the clock of this machine with the field `Date`. */
export function checkClock({ sentAt, receivedAt, date }: Exchange): Outcome {
  const server = Date.parse(date ?? '')
  if (Number.isNaN(server)) return unchecked('clock', 'the response has no Date')
  // The server has sent it within this second, after the request and before the response.
  const ahead = server - receivedAt
  const behind = sentAt - (server + 1_000)
  const difference = Math.max(ahead, behind)
  if (difference <= maxMilliseconds) return ok('clock')
  const seconds = Math.round(difference / 1_000)
  return finding(
    'clock',
    `the clock of the server is ${seconds} s ${ahead > behind ? 'ahead of' : 'behind'} that of this machine`,
    'timedatectl set-ntp true # on the host whose clock is wrong: containers have the clock of their host',
  )
}
