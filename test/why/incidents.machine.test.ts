import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WhyDocument } from '../../src/console/why/why-document.ts'
import { type Bundled, bundleServices } from './bundle-services.ts'
import type { Incident } from './incident.ts'
import { missed } from './missed.ts'
import { runIncident } from './run-incident.ts'

const timeout = 600_000
const filesIn = (folder: string) =>
  readdirSync(join(import.meta.dirname, folder)).map((name) => join(import.meta.dirname, folder, name))
const load = async (file: string): Promise<Incident> => (await import(file)).incident
const nameOf = (file: string) => file.replace(/^.*\/|\.ts$/g, '')

const files = { incidents: filesIn('incidents'), healthy: filesIn('healthy') }

/** A row of the table in docs/guides/agents.md: `npm run why-table` writes it. */
interface Row {
  readonly name: string
  readonly title: string
  readonly isHealthy: boolean
  /** The place of the expected statement, from 1; 0 if it is not there. */
  readonly place: number
  readonly texts: readonly string[]
}

const rows: Row[] = []
let bundled: Bundled
let runs: ReadonlyMap<string, Promise<Run>>
beforeAll(async () => {
  bundled = await bundleServices([...files.incidents, ...files.healthy])
  const incidents = startRuns(files.incidents)
  runs = new Map([...incidents, ...startRuns(files.healthy, [...incidents.values()])])
}, timeout)
afterAll(() => {
  bundled.remove()
  mkdirSync('build', { recursive: true })
  rows.sort((one, other) => (one.name < other.name ? -1 : 1))
  writeFileSync('build/why-incidents.json', JSON.stringify(rows, undefined, 1))
})

interface Run {
  readonly document: WhyDocument
  readonly place: number
}

/** Runs two services at a time, one for each core, once what is before has ended. */
function startRuns(
  all: readonly string[],
  before: readonly Promise<unknown>[] = [],
): ReadonlyMap<string, Promise<Run>> {
  const ended = Promise.allSettled(before)
  const last: Promise<unknown>[] = [ended, ended]
  return new Map(
    all.map((file, index) => {
      const result = Promise.resolve(last[index % 2]).then(() => run(file))
      // The test of this file reports its failure.
      last[index % 2] = result.catch(() => {})
      return [file, result]
    }),
  )
}

const resultOf = (file: string): Promise<Run> => runs.get(file) ?? Promise.reject(new Error(`${file} was not run`))

async function run(file: string): Promise<Run> {
  const incident = await load(file)
  const document = await runIncident(incident, bundled.programs.get(file) ?? '')
  const { expected, title } = incident
  const isExpected = ({ kind, text }: WhyDocument['statements'][number]) =>
    kind === expected?.kind && expected.text.test(text)
  const place = document.statements.findIndex(isExpected) + 1
  const texts = document.statements.map(({ text }) => text)
  rows.push({ name: nameOf(file), title, isHealthy: expected === undefined, place, texts })
  return { document, place }
}

describe('why names the cause among the first two statements', () => {
  const found = files.incidents.filter((file) => !missed.includes(nameOf(file)))
  it.each(found.map((file) => [nameOf(file), file]))('%s', { timeout }, async (_, file) => {
    const { document, place } = await resultOf(file)
    expect([1, 2], JSON.stringify(document.statements, undefined, 1)).toContain(place)
  })
})

describe('why does not find yet', () => {
  it.each(missed)('%s', { timeout }, async (name) => {
    const { place } = await resultOf(join(import.meta.dirname, 'incidents', `${name}.ts`))
    expect(place).toBe(0)
  })
})

describe('why has no statement in a healthy run', () => {
  it.each(files.healthy.map((file) => [nameOf(file), file]))('%s', { timeout }, async (_, file) => {
    const { document } = await resultOf(file)
    expect(document.statements).toEqual([])
  })
})
