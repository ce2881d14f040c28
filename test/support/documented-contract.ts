import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { built } from './built.ts'

/** The result of `upkeep contract`. */
export interface ContractRun {
  readonly code: unknown
  readonly out: string
  /** The rules that do not hold, each with its reason: `expect(broken).toEqual([])` says which. */
  readonly broken: readonly string[]
}

/** Runs the command of the packed package. */
export function runContract(...words: readonly string[]): Promise<ContractRun> {
  const command = built('build/node_modules/upkeep/dist/cli.cjs')
  return new Promise((done) => {
    execFile(process.execPath, [command, 'contract', ...words], { maxBuffer: 10_000_000 }, (error, out) =>
      done({ code: error?.code ?? 0, out, broken: out.match(/^\d+\) .*(?:\n {3}.*)*/gm) ?? [] }),
    )
  })
}

/** Runs the line of a page that checks a service at a port, with the URL of the service in place of its own. */
export function runDocumentedContract(
  page: string,
  port: number,
  url: string,
  ...more: readonly string[]
): Promise<ContractRun> {
  const start = `npx upkeep contract http://127.0.0.1:${port} `
  const text = readFileSync(resolve(import.meta.dirname, '../..', page), 'utf8')
  const line = text.split('\n').find((each) => each.includes(start))
  if (line === undefined) throw new Error(`${page} has no line with ${start}`)
  const words = line.slice(line.indexOf(start) + start.length).match(/"[^"]*"|\S+/g) ?? []
  return runContract(url, ...words.map((word) => word.replaceAll('"', '')), ...more)
}
