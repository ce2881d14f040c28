import type { Socket } from 'node:net'
import { wait } from '../../base/timers.ts'
import type { ConformanceAbility } from '../ability.ts'
import { type Answer, answerOf, want } from '../answer.ts'
import { violationError } from '../check-result.ts'
import { connectTo, originOf, send, type WireRequest } from '../http-client/send.ts'
import type { ConformanceManagementOptions, StartedApplication } from './application.ts'

/** One requirement on an adapter. */
export interface Trial {
  readonly title: string
  /** The ability that the case needs. */
  readonly needs?: ConformanceAbility | undefined
  /** Overrides of the default management options. */
  readonly options?: Partial<ConformanceManagementOptions>
  readonly attempt: (subject: Subject) => Promise<void>
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: string
}

/** A started application, as cases see it. */
export interface Subject {
  readonly port: number
  readonly management: StartedApplication['management']
  /** Errors reported by the adapter so far. */
  readonly reported: readonly unknown[]
  readonly template: (path: string) => string
  /** Timeout of waiting for an effect. */
  readonly patienceMilliseconds: number
  /** Returns the target of a path below the base path. */
  at(path: string): string
  /** Requests a path below the base path. */
  ask(path: string, asking?: Asking): Promise<Answer>
  /** Requests a target unchanged. */
  askFor(target: string, asking?: Asking): Promise<Answer>
}

const timeoutMilliseconds = 10_000

export function createSubject(
  { port, management }: StartedApplication,
  prefix: string,
  reported: readonly unknown[],
  { template, patienceMilliseconds }: Pick<Subject, 'template' | 'patienceMilliseconds'>,
): Subject {
  const origin = originOf(new URL(`http://127.0.0.1:${port}`))
  const at = (path: string) => `${prefix}/management${path}`
  const askFor = async (target: string, { method = 'GET', headers = {}, content }: Asking = {}) => {
    const request: WireRequest = {
      method,
      target,
      fields: { Host: origin.authority, Connection: 'close', ...headers },
      content,
    }
    const [response] = await send(origin, [request], timeoutMilliseconds)
    if (response === undefined) throw new Error(`${method} ${target} has no response`)
    return answerOf(request, response)
  }
  return {
    port,
    management,
    reported,
    template,
    patienceMilliseconds,
    at,
    askFor,
    ask: (path, asking) => askFor(at(path), asking),
  }
}

/** Opens a connection, whose errors are ignored, and sends text. */
export async function openConnection({ port }: Subject, text: string): Promise<Socket> {
  const socket = await connectTo(originOf(new URL(`http://127.0.0.1:${port}`)), timeoutMilliseconds)
  socket.on('error', () => undefined)
  socket.write(text)
  return socket
}

export function wantText(answer: Answer, text: string): void {
  want(answer, answer.text === text, `the content ${text || '(none)'}`)
}

/** Asserts that two values are equal as JSON, in any order of members. */
export function wantEqual(answer: Answer, value: unknown, wanted: unknown): void {
  want(answer, ordered(value) === ordered(wanted), JSON.stringify(wanted), `received ${JSON.stringify(value)}`)
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/** Repeats until the check succeeds, or the timeout has passed. */
export async function eventually(
  { patienceMilliseconds }: Subject,
  isSo: () => boolean,
  expected: string,
  received: () => string,
): Promise<void> {
  const end = performance.now() + patienceMilliseconds
  while (!isSo()) {
    if (performance.now() > end) throw violationError({ sent: '(see the title)', received: received(), expected })
    await wait(5)
  }
}

const tagOrder = ['uri', 'method', 'status', 'outcome', 'exception']

/** Returns the recorded requests in order, each as `uri method status outcome exception`. */
export function timed({ management: { meters } }: Subject): readonly string[] {
  return [...meters.snapshot('http.server.requests')]
    .flatMap((one) => {
      const tags = new Map(one.id.tags.map(({ key, value }) => [key, value]))
      return one.kind === 'timer' ? Array<string>(one.count).fill(tagOrder.map((key) => tags.get(key)).join(' ')) : []
    })
    .sort()
}

export function active({ management: { meters } }: Subject): number {
  const methods = [...meters.snapshot('http.server.requests.active')]
  return methods.reduce((sum, one) => sum + (one.kind === 'longTaskTimer' ? one.activeTasks : Number.NaN), 0)
}

/** Waits until exactly these requests are recorded: a response may be read before the server has closed it. */
export async function wantTimed(subject: Subject, ...expected: readonly string[]): Promise<void> {
  const wanted = [...expected].sort().join('\n')
  const told = () => timed(subject).join('\n')
  await eventually(
    subject,
    () => told() === wanted && active(subject) === 0,
    wanted,
    () => `${told()}\nactive: ${active(subject)}`,
  )
}

export async function wantActive(subject: Subject, count: number): Promise<void> {
  await eventually(
    subject,
    () => active(subject) === count,
    `${count} active`,
    () => `${active(subject)} active`,
  )
}
