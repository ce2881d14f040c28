import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Debian's own Python, which has Debian's packages. */
const python = '/usr/bin/python3'
const script = fileURLToPath(new URL('parse-expositions.py', import.meta.url))

export const parserPackage = 'python3-prometheus-client'

/** Returns the path of a Python that has the parser; `undefined` if there is none. */
export function findParser(): string | undefined {
  return spawnSync(python, ['-c', 'import prometheus_client.openmetrics.parser']).status === 0 ? python : undefined
}

export interface ParsedFamily {
  readonly name: string
  readonly type: string
  readonly unit: string
  readonly help: string
  readonly samples: readonly ParsedSample[]
}

export interface ParsedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  readonly exemplar: { readonly labels: Readonly<Record<string, string>>; readonly value: number } | undefined
}

export type Page = readonly ['prometheus' | 'openmetrics', string]

/** What the Python client reads in each page; an `Error` for one that it refuses. One process does all. */
export async function parsePages(pages: readonly Page[]): Promise<readonly (readonly ParsedFamily[] | Error)[]> {
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const parsed: (readonly ParsedFamily[] | Error)[] = []
  const writing = writeLines(child.stdin, pages)
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    parsed.push(readOutput(JSON.parse(line)))
  }
  await writing
  return parsed
}

async function writeLines(stdin: NodeJS.WritableStream, pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    if (!stdin.write(`${JSON.stringify(page)}\n`)) await new Promise((resolve) => stdin.once('drain', resolve))
  }
  stdin.end()
}

type ParserOutput = { readonly error: string } | readonly [string, string, string, string, readonly OutputSample[]][]
type OutputSample = readonly [string, Record<string, string>, string, [Record<string, string>, string] | null]

function readOutput(output: ParserOutput): readonly ParsedFamily[] | Error {
  if ('error' in output) return new Error(output.error)
  return output.map(([name, type, unit, help, samples]) => ({
    name,
    type,
    unit,
    help,
    samples: samples.map(readSample),
  }))
}

function readSample([name, labels, value, exemplar]: OutputSample): ParsedSample {
  return {
    name,
    labels,
    value: readNumber(value),
    exemplar: exemplar ? { labels: exemplar[0], value: readNumber(exemplar[1]) } : undefined,
  }
}

function readNumber(text: string): number {
  return Number(text.replace('inf', 'Infinity').replace('nan', 'NaN'))
}
