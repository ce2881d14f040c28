import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'
import { setUnrefTimeout, wait } from '../../base/timers.ts'
import type { MemberResponse } from '../cluster-host.ts'
import { preparePrivateDirectory } from './group-directory.ts'
import { readBytes, withOwnFile, writeWhole } from './safe-files.ts'

export const requestsName = 'requests'

const maxRequestBytes = 64 * 1024
const maxResponseBytes = 16 * 1024 * 1024
/** Requests in progress. Others remain in the directory until one of them ends. */
const maxConcurrent = 16
/** Milliseconds. */
const interval = { ofRequests: 50, ofResponse: 20 } as const
const keptMilliseconds = 60_000

const requestForm = /^(\d{1,6})\.([0-9a-f]{24})\.request$/

/** Creates the response to the request of another member. Never rejects. */
type MemberResponder = (request: string) => Promise<string>

/**
 * Requests of one member to another, and their responses: a file for each, in a directory of the group that exists once
 * there was a request. The sender removes both.
 */
export class RequestFiles {
  readonly #directory: string
  readonly #clock: Clock
  readonly #report: Report
  #until = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #running = 0

  constructor(directory: string, clock: Clock, report: Report) {
    this.#directory = join(directory, requestsName)
    this.#clock = clock
    this.#report = report
  }

  /** Sends a request to the member of a slot. Waits for the response until `milliseconds` have passed, or it is gone. */
  async send(slot: number, request: string, milliseconds: number, isGone: () => boolean): Promise<MemberResponse> {
    const end = this.#clock.monotonicTime() + milliseconds
    const id = randomBytes(12).toString('hex')
    const names = [`${slot}.${id}.request`, `${id}.response`] as const
    preparePrivateDirectory(this.#directory)
    try {
      writeWhole(this.#directory, names[0], Buffer.from(request))
      for (;;) {
        await wait(interval.ofResponse)
        const text = this.#read(names[1], maxResponseBytes)
        if (text !== undefined) return { text }
        if (isGone()) return 'gone'
        if (this.#clock.monotonicTime() >= end) return 'timeout'
      }
    } finally {
      for (const name of names) this.#remove(name)
    }
  }

  /** Responds to the requests for a slot until a time, in milliseconds since 1970-01-01T00:00:00Z. */
  serve(slot: number, until: number, respond: MemberResponder): void {
    this.#until = until
    this.#removeLeftovers()
    this.#timer ??= setUnrefTimeout(() => this.#poll(slot, respond), 0)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#until = Number.NEGATIVE_INFINITY
  }

  #poll(slot: number, respond: MemberResponder): void {
    this.#timer = undefined
    if (this.#clock.wallTime() >= this.#until) return
    for (const name of this.#list()) {
      if (this.#running >= maxConcurrent) break
      const [, wanted, id] = requestForm.exec(name) ?? []
      if (id !== undefined && Number(wanted) === slot) void this.#respond(name, id, respond)
    }
    this.#timer = setUnrefTimeout(() => this.#poll(slot, respond), interval.ofRequests)
  }

  async #respond(name: string, id: string, respond: MemberResponder): Promise<void> {
    this.#running += 1
    try {
      const request = this.#read(name, maxRequestBytes)
      this.#remove(name)
      if (request === undefined) return
      const response = Buffer.from(await respond(request))
      if (response.length > maxResponseBytes)
        throw failure('UPKEEP_ECLUSTER', `a response of ${response.length} bytes is too large`)
      writeWhole(this.#directory, `${id}.response`, response)
    } catch (error) {
      this.#report('cluster: failed to respond to the request of a member', error)
    } finally {
      this.#running -= 1
    }
  }

  #read(name: string, maxBytes: number): string | undefined {
    return withOwnFile(join(this.#directory, name), maxBytes, (fd, { size }) => readBytes(fd, 0, size).toString())
  }

  #list(): readonly string[] {
    try {
      return readdirSync(this.#directory)
    } catch {
      // The group has ended, or there was no request yet.
      return []
    }
  }

  /** Removes what members have left that were killed meanwhile. */
  #removeLeftovers(): void {
    for (const name of this.#list()) {
      const stats = statSync(join(this.#directory, name), { throwIfNoEntry: false })
      if (stats !== undefined && this.#clock.wallTime() - stats.mtimeMs > keptMilliseconds) this.#remove(name)
    }
  }

  #remove(name: string): void {
    rmSync(join(this.#directory, name), { force: true, recursive: true })
  }
}
