import type { ConformanceAbility } from '../ability.ts'
import { type Answer, answerOf, want } from '../answer.ts'
import { originOf } from '../http-client/connect.ts'
import { send, type WireRequest } from '../http-client/send.ts'
import { violationError } from '../violation.ts'
import type { ConformanceManagementOptions, StartedApplication } from './application.ts'

/** One thing that an adapter has to do. */
export interface Trial {
  readonly title: string
  /** What it can be tried with alone. */
  readonly needs?: ConformanceAbility | undefined
  /** What the management is given beside the usual, or in place of it. */
  readonly options?: Partial<ConformanceManagementOptions>
  readonly attempt: (subject: Subject) => Promise<void>
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: string
}

/** A started application, as trials see it. */
export interface Subject {
  readonly port: number
  readonly management: StartedApplication['management']
  /** What the adapter told of failures so far. */
  readonly reported: readonly unknown[]
  readonly template: (path: string) => string
  /** How long what is awaited may take. */
  readonly patienceMilliseconds: number
  /** The path of what is below the base path. */
  at(path: string): string
  /** Asks for what is below the base path. */
  ask(path: string, asking?: Asking): Promise<Answer>
  /** Asks for a target as it is. */
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
    if (response === undefined) throw new Error(`${method} ${target} has no answer`)
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

export function wantText(answer: Answer, text: string): void {
  want(answer, answer.text === text, `the content ${text || '(none)'}`)
}

/** Holds a value to another by what they are as JSON, members in any order. */
export function wantEqual(answer: Answer, value: unknown, wanted: unknown): void {
  want(answer, ordered(value) === ordered(wanted), JSON.stringify(wanted), `there is ${JSON.stringify(value)}`)
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/** Looks again and again, for a while. */
export async function eventually(
  { patienceMilliseconds }: Subject,
  isSo: () => boolean,
  wanted: string,
  came: () => string,
): Promise<void> {
  const end = performance.now() + patienceMilliseconds
  while (!isSo()) {
    if (performance.now() > end) throw violationError({ sent: '(see the title)', came: came(), wanted })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
