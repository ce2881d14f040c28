import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../base/callback.ts'
import { escapeUnsafeInJson } from '../../logging/unsafe-characters.ts'
import { topHelp } from '../help.ts'
import { coloursFor, type Output } from '../output.ts'
import { type Followed, follow } from './follow.ts'
import { shownName } from './shown-name.ts'
import { openTerminal, readHidden } from './terminal.ts'
import { readTopArguments, type TopArguments } from './top-arguments.ts'
import { pressKeys, type TopView } from './top-keys.ts'
import type { TopSample, TopSource } from './top-sample.ts'
import { chooseRoutes, plainLine, sampleLines, screenLines, type TopState } from './top-screen.ts'
import { createReader, findSource, ServiceError } from './top-source.ts'

type Environment = Readonly<Record<string, string | undefined>>

const timeoutMilliseconds = 5_000

/** The columns of a list that is not written to a terminal. */
const plainColumns = 120

const forever = 2 ** 31 - 1

/** Runs `upkeep top`. Returns the exit code: 0 when ended, 1 if the service cannot be read, 2 if an argument is invalid. */
export async function runTop(words: readonly string[], environment: Environment, output: Output): Promise<number> {
  let given: TopArguments | undefined
  try {
    given = readTopArguments(words, environment)
  } catch (error) {
    output.writeError(`upkeep top: ${messageOf(error)}\nSee upkeep top --help.\n`)
    return 2
  }
  const end = new AbortController()
  try {
    if (given === undefined) output.write(topHelp)
    else await run(given, environment, output, end)
    return 0
  } catch (error) {
    // What is going on when the command ends is rejected.
    if (end.signal.aborted) return 0
    output.writeError(`upkeep top: ${shownName(messageOf(error))}\n`)
    return 1
  }
}

async function run(given: TopArguments, environment: Environment, output: Output, end: AbortController): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort())
  const { intervalMilliseconds, json, once, sort, filter, withRoutes } = given
  const read = follow(createConnect(given, end.signal), intervalMilliseconds)
  const view: TopView = { sort, filter, withRoutes, isTyping: false, isPaused: false, member: undefined }
  let first = await read(view)
  if (once && first.sample?.source === 'metrics') {
    await delay(intervalMilliseconds, undefined, { signal: end.signal })
    first = await read(view)
  }
  if (first.sample === undefined || (once && first.problem !== undefined)) throw new Error(first.problem)
  const state: TopState = { ...first, sample: first.sample, view }
  const isTerminal = output.isTerminal && environment['TERM'] !== 'dumb'
  const colours = coloursFor(environment, isTerminal)
  if (once && !json) {
    const columns = (isTerminal && process.stdout.columns) || plainColumns
    output.write(`${sampleLines(state, Number.POSITIVE_INFINITY, columns, colours).join('\n')}\n`)
  } else if (json || !isTerminal || !process.stdin.isTTY) {
    await print(first, read, view, given, output, end.signal)
  } else {
    await show(state, first, read, colours, end)
  }
}

/** Returns a function that finds the source. The first time it asks for a token, if one is needed and was not given. */
function createConnect({ url, authorization: known }: TopArguments, signal: AbortSignal): () => Promise<TopSource> {
  let authorization = known
  let canAsk = known === undefined && process.stdin.isTTY
  const attempt = () =>
    findSource(url, createReader(url.origin, { authorization, timeoutMilliseconds, signal }), Date.now)
  return async () => {
    const asks = canAsk
    canAsk = false
    try {
      return await attempt()
    } catch (error) {
      if (!asks || !(error instanceof ServiceError && error.status === 401)) throw error
      const token = await readHidden('Token: ', process.stdin, process.stderr)
      if (!token) throw error
      authorization = `Bearer ${token}`
      return await attempt()
    }
  }
}

/** Writes samples as lines, and failures as lines to standard error. */
async function print(
  first: Followed,
  read: (view: TopView) => Promise<Followed>,
  view: TopView,
  { json, once }: TopArguments,
  { write, writeError }: Output,
  signal: AbortSignal,
): Promise<void> {
  let notice: string | undefined
  for (let followed = first; !signal.aborted; followed = await read(view)) {
    const { sample, problem, delayMilliseconds } = followed
    for (const text of [problemOf(followed), followed.notice === notice ? undefined : followed.notice]) {
      if (text) writeError(`upkeep top: ${shownName(text)}\n`)
    }
    notice = followed.notice
    if (!problem && sample) write(`${json ? jsonLine(sample, view) : plainLine(sample)}\n`)
    if (once) return
    await delay(delayMilliseconds, undefined, { signal })
  }
}

function jsonLine({ routes, ...rest }: TopSample, view: TopView): string {
  return escapeUnsafeInJson(JSON.stringify({ ...rest, routes: routes && chooseRoutes(routes, view) }))
}

function problemOf({ problem, delayMilliseconds }: Followed): string | undefined {
  return problem && `${problem}; next attempt in ${delayMilliseconds / 1_000} s`
}

/** Shows samples on the whole terminal, until a key or a signal ends that. */
async function show(
  initial: TopState,
  first: Followed,
  read: (view: TopView) => Promise<Followed>,
  colours: ReturnType<typeof coloursFor>,
  end: AbortController,
): Promise<void> {
  let state = initial
  let pause = new AbortController()
  const draw = () => {
    const { rows, columns } = terminal.size()
    terminal.draw(screenLines(state, rows, columns, colours))
  }
  const onKeys = (keys: string) => {
    const before = state.view
    const view = pressKeys(before, keys, state.sample.members)
    if (view === undefined) return end.abort()
    state = { ...state, view }
    draw()
    const isOther = (['member', 'withRoutes', 'isPaused'] as const).some((name) => view[name] !== before[name])
    if (isOther) pause.abort()
  }
  const terminal = openTerminal(process.stdin, process.stdout, { onKeys, onResize: () => draw() })
  try {
    draw()
    for (let followed = first; !end.signal.aborted; ) {
      const milliseconds = state.view.isPaused ? forever : followed.delayMilliseconds
      pause = new AbortController()
      await delay(milliseconds, undefined, { signal: AbortSignal.any([pause.signal, end.signal]) }).catch(
        () => undefined,
      )
      if (end.signal.aborted || state.view.isPaused) continue
      followed = await read(state.view)
      const { sample = state.sample, notice } = followed
      state = { ...state, sample, notice, problem: problemOf(followed) }
      draw()
    }
  } finally {
    terminal.close()
  }
}
