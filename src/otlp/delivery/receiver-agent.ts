import { Agent, type AgentOptions, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, type AgentOptions as SecureAgentOptions } from 'node:https'
import type { Clock } from '../../base/clock.ts'
import { untraced } from '../../tracing/current-tracing.ts'
import { type Attempt, createAttempt, isWorthRepeating, noteAnswer } from './attempt.ts'

/**
 * The connections to one receiver, one request at a time. An exporter tells of a failure neither the status nor how long to
 * wait, nothing of a partial success, and repeats by itself, with timers that keep a process alive: so each request is
 * watched where it gets its connection, and what would make the exporter repeat is shown to it as final.
 */
export interface ReceiverAgent {
  /** For the option `httpAgentOptions` of an exporter. */
  readonly create: (protocol: string) => Agent
  /** What came of the request that was made last. */
  readonly attempt: Attempt
  /** Begins a new attempt, whose request may take so long. */
  begin(timeoutMilliseconds: number): void
  /** Ends the request that is going on, and all connections. */
  abort(): void
}

/** `secrets` are left out of what a receiver writes. */
export function createReceiverAgent(
  options: SecureAgentOptions,
  clock: Clock,
  secrets: readonly string[] = [],
): ReceiverAgent {
  let attempt = createAttempt()
  let timeout = 0
  let current: ClientRequest | undefined
  let agent: Agent | undefined
  let isAborted = false

  function watch(request: ClientRequest): void {
    const own = attempt
    current = request
    // One that was on its way here; its listeners are there in the next turn.
    if (isAborted) process.nextTick(() => request.destroy(ended()))
    const timer = setTimeout(() => {
      own.errorCode ??= 'TIMEOUT'
      request.destroy(new Error('The receiver did not answer in time'))
    }, timeout)
    timer.unref()
    // Before the exporter's own listeners, which are there already in the case of the answer.
    request.prependListener('response', (response: IncomingMessage) => {
      noteAnswer(own, response, clock.wallTime(), secrets)
      if (isWorthRepeating(own)) response.statusCode = finalStatus
    })
    request.prependListener('error', (error: NodeJS.ErrnoException) => {
      own.errorCode ??= error.code ?? error.name
      Object.defineProperty(error, 'code', { value: undefined })
    })
    request.once('close', () => {
      clearTimeout(timer)
      if (current === request) current = undefined
    })
  }

  return {
    create(protocol) {
      const { ca: _ca, cert: _cert, key: _key, ...insecure } = options
      agent = protocol === 'http:' ? new WatchedAgent(insecure, watch) : new WatchedSecureAgent(options, watch)
      return agent
    },
    get attempt() {
      return attempt
    },
    begin(timeoutMilliseconds) {
      attempt = createAttempt()
      timeout = timeoutMilliseconds
    },
    abort() {
      isAborted = true
      attempt.errorCode ??= 'ABORTED'
      current?.destroy(ended())
      agent?.destroy()
    },
  }
}

function ended(): Error {
  return new Error('The export was ended')
}

/** No exporter repeats a request that was answered with this. */
const finalStatus = 599

type Watch = (request: ClientRequest) => void
type AddRequest = (request: ClientRequest, options: object) => void

class WatchedAgent extends Agent {
  readonly [untraced] = true
  readonly #watch: Watch

  constructor(options: AgentOptions, watch: Watch) {
    super(options)
    this.#watch = watch
  }

  addRequest(request: ClientRequest, options: object): void {
    this.#watch(request)
    addRequestOf(Agent.prototype).call(this, request, options)
  }
}

class WatchedSecureAgent extends SecureAgent {
  readonly [untraced] = true
  readonly #watch: Watch

  constructor(options: SecureAgentOptions, watch: Watch) {
    super(options)
    this.#watch = watch
  }

  addRequest(request: ClientRequest, options: object): void {
    this.#watch(request)
    addRequestOf(SecureAgent.prototype).call(this, request, options)
  }
}

/** Where Node hands a request over to its agent: what agents of npm override, though no types know it. */
function addRequestOf(prototype: object): AddRequest {
  return (prototype as { readonly addRequest: AddRequest }).addRequest
}
