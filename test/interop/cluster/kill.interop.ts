import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { built } from '../../support/built.ts'
import { type Child, startChild } from '../../support/child.ts'

const processes = 4
const kills = 60
/** What a process that is killed may not have written: it writes every 200 ms. */
const unwrittenMilliseconds = 300

interface Member {
  readonly child: Child
  readonly pid: number
  readonly ports: readonly number[]
  readonly agent: Agent
  /** The times of the answers. */
  readonly answers: number[]
  isKilled: boolean
  /** How many of the answers it may not have written when it was killed. */
  unwritten: number
}

let directory: string
const members = new Set<Member>()

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'upkeep-kill-'))
})
afterAll(async () => {
  for (const { child } of members) await child.kill()
  await rm(directory, { recursive: true, force: true })
})

function read(port: number, path: string, agent: Agent): Promise<string> {
  return new Promise((fulfil, reject) => {
    const request = get({ port, path, agent, host: '127.0.0.1', headers: { accept: 'text/plain;version=0.0.4' } })
    request.on('error', reject).on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => fulfil(text)).on('error', reject)
    })
  })
}

async function startMember(): Promise<Member> {
  const dist = resolve(built('build/node_modules/upkeep/dist/cluster.js'), '..')
  const env = { PATH: process.env['PATH'], UPKEEP_DIST: dist, GROUP: 'kill', DIRECTORY: join(directory, 'groups') }
  const child = startChild(process.execPath, [join(import.meta.dirname, 'kill-member.mjs')], { env })
  const line = await child.out.line(/^ports/).catch((error: Error) => {
    throw new Error(child.err.lines.join('\n'), { cause: error })
  })
  const agent = new Agent({ keepAlive: true })
  const [pid = 0, ...ports] = line.split(' ').slice(1).map(Number)
  const member: Member = { child, pid, ports, agent, answers: [], isKilled: false, unwritten: 0 }
  members.add(member)
  for (const port of member.ports) for (let loop = 0; loop < 2; loop += 1) void load(member, port)
  return member
}

let isLoading = true

async function load(member: Member, port: number): Promise<void> {
  while (isLoading && !member.isKilled) {
    const isAnswered = await read(port, '/', member.agent).then(
      (text) => text === 'ok',
      () => false,
    )
    if (isAnswered) member.answers.push(Date.now())
    await wait(5)
  }
}

type Page = ReadonlyMap<string, number>

/** Returns the counters and buckets of the merged view, as some member shows it; `undefined` if that is killed. */
async function scrape(nth: number): Promise<Page | undefined> {
  const living = [...members].filter(({ isKilled }) => !isKilled)
  const member = living[nth % living.length]
  const port = member?.ports[nth % 2]
  if (member === undefined || port === undefined) return undefined
  const text = await read(port, '/management/prometheus', member.agent).catch(() => '')
  const lines = text.split('\n').filter((line) => /^\w+_(total|count|sum|bucket)\b/.test(line))
  return text === ''
    ? undefined
    : new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

it(`${processes} processes of 2 threads, of which ${kills} are killed, never count down`, {
  timeout: 600_000,
}, async () => {
  for (let at = 0; at < processes; at += 1) await startMember()
  const falls: string[] = []
  let scrapes = 0
  let latest: Page = new Map()
  const watch = async (): Promise<void> => {
    for (; isLoading; await wait(50)) {
      const page = await scrape(scrapes)
      if (page === undefined) continue
      scrapes += 1
      for (const [series, value] of latest) {
        const now = page.get(series)
        if (now === undefined || now < value) falls.push(`${series}: ${value}, then ${now}`)
      }
      latest = page
    }
  }
  const watched = watch()
  const starting = new Set<Promise<unknown>>()
  for (let kill = 0; kill < kills; kill += 1) {
    await wait(1_000)
    const alive = [...members].filter(({ isKilled }) => !isKilled)
    // On a busy machine a process may take longer to start than another one lives.
    if (alive.length < 2) await Promise.race(starting)
    const victim = [...members].find(({ isKilled }) => !isKilled)
    if (victim === undefined) throw new Error('no member is alive')
    victim.isKilled = true
    const killedAt = Date.now()
    await victim.child.kill()
    // What the system has already sent may still be read.
    await wait(50)
    // A process that gets no processor time before it is killed neither answers nor writes meanwhile.
    const activeUntil = Math.min(killedAt, victim.answers.at(-1) ?? killedAt)
    victim.unwritten = victim.answers.filter((time) => time > activeUntil - unwrittenMilliseconds).length
    const started = startMember().finally(() => starting.delete(started))
    starting.add(started)
  }
  await Promise.all(starting)
  isLoading = false
  await watched
  // The answers under way.
  await wait(500)
  const total = [...members].reduce((sum, { answers }) => sum + answers.length, 0)
  const final = await scrape(0)
  const counted = final?.get('answered_total') ?? Number.NaN
  const recorded = final?.get('work_seconds_count')
  const unwritten = [...members].reduce((sum, member) => sum + member.unwritten, 0)
  const losses = [...members].map((member) => ({
    lost: member.answers.length - (final?.get(`answered_by_process_total{process="${member.pid}"}`) ?? Number.NaN),
    allowed: member.unwritten,
  }))
  console.info(
    `${kills} kills, ${scrapes} scrapes: ${total} answered, ${counted} counted, ${total - counted} lost, ` +
      `${unwritten} answered within ${unwrittenMilliseconds} ms before a kill`,
  )
  expect(falls).toEqual([])
  expect(scrapes).toBeGreaterThan(kills)
  expect(counted).toBeLessThanOrEqual(total)
  expect(total - counted).toBeLessThanOrEqual(unwritten)
  expect(losses.filter(({ lost, allowed }) => !(lost <= allowed))).toEqual([])
  expect(recorded).toBeLessThanOrEqual(total)
  expect(total - Number(recorded)).toBeLessThanOrEqual(unwritten)
})
