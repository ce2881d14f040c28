import { HttpError } from '../../http/errors/http-error.ts'
import { type ProfileFormat, type ProfileType, profileFormats } from '../diagnostics/diagnostic-operation.ts'

/** A profile must end, and its samples are kept in memory until then. */
const maxSeconds = 300
const maxSamples = 1_000_000

/** Which profile a request is for. */
interface ProfileQuery {
  readonly seconds: number
  readonly type: ProfileType
  readonly format: ProfileFormat
  /** `main`, or the id of a worker thread. */
  readonly thread: string | undefined
}

/**
 * Reads `seconds`, `type`, `format` and `thread` of a query.
 *
 * @throws HttpError 400 naming the parameter, what is expected and what was received.
 */
export function parseProfileQuery(
  query: URLSearchParams,
  defaults: Pick<ProfileQuery, 'seconds'>,
  intervalMilliseconds: number,
): ProfileQuery {
  const type = parseChoice(query, 'type', ['wall', 'heap'])
  const seconds = parseSeconds(query, defaults.seconds)
  if (type === 'wall') requireFewSamples(seconds, intervalMilliseconds)
  const format = parseFormat(query)
  const thread = query.get('thread') ?? undefined
  if (thread !== undefined && !/^(?:main|[1-9]\d{0,8})$/.test(thread)) {
    throw invalid('thread', '"main" or the id of a worker thread', thread)
  }
  return { seconds, type, format, thread: thread ?? (format === 'cpuprofile' ? 'main' : undefined) }
}

/**
 * Reads the format of a profile.
 *
 * @throws HttpError 400.
 */
export function parseFormat(query: URLSearchParams): ProfileFormat {
  return parseChoice(query, 'format', profileFormats)
}

/**
 * Reads the duration of a profile in seconds.
 *
 * @throws HttpError 400.
 */
export function parseSeconds(query: URLSearchParams, defaultSeconds: number): number {
  const text = query.get('seconds')
  if (text === null) return defaultSeconds
  const seconds = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (seconds > 0 && seconds <= maxSeconds) return seconds
  throw invalid('seconds', `a number of more than 0 and at most ${maxSeconds}`, text)
}

/**
 * Checks that a profile of time is not too large.
 *
 * @throws HttpError 400.
 */
export function requireFewSamples(seconds: number, intervalMilliseconds: number): void {
  const longest = (maxSamples * intervalMilliseconds) / 1_000
  if (seconds <= longest) return
  const expected = `at most ${longest} with a sampling interval of ${intervalMilliseconds} ms`
  throw invalid('seconds', expected, String(seconds))
}

function parseChoice<const Choices extends readonly [string, ...string[]]>(
  query: URLSearchParams,
  name: string,
  choices: Choices,
): Choices[number] {
  const text = query.get(name)
  const choice = text === null ? choices[0] : choices.find((each) => each === text)
  if (choice !== undefined) return choice
  throw invalid(name, `one of ${choices.join(', ')}`, text ?? '')
}

function invalid(name: string, expected: string, received: string): HttpError {
  return new HttpError(400, `${name}: expected ${expected}, received ${JSON.stringify(received.slice(0, 100))}.`)
}
