import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { adapt, readDocumented } from '../support/documented.ts'
import { freePort } from '../support/free-port.ts'

/** A program of a page in docs/migrate/, which runs as a process. */
export interface DocumentedProgram {
  /** That of the application, 3000 on the page. */
  readonly port: number
  /** That of the probes, 9000 on the page. */
  readonly probePort: number
  readonly child: Child
  get(path: string, init?: RequestInit & { readonly port?: number }): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly text: string
  /** `undefined` unless it is JSON. */
  readonly json: unknown
}

interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  /** What to replace in the program, besides its ports. */
  readonly replace?: Readonly<Record<string, string>>
  /** Further files beside it, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** Arguments of Node. */
  readonly args?: readonly string[]
  /** The folder whose packages it imports. @default that of the installed package */
  readonly project?: string
}

/** Runs a block of a page on the installed package until the test is over. Resolves when its ports are open. */
export async function startDocumented(
  page: string,
  name: string,
  { env = {}, replace = {}, files = {}, args = [], project = built('build') }: ProgramOptions = {},
): Promise<DocumentedProgram> {
  const ports = { '3000': String(await freePort()), '9000': String(await freePort()) }
  const folder = mkdtempSync(join(project, 'migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(resolve(import.meta.dirname, 'db.mjs'), join(folder, 'db.mjs'))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  const source = adapt(readDocumented(`migrate/${page}`, name), replace)
  const used = Object.fromEntries(Object.entries(ports).filter(([port]) => source.includes(port)))
  writeFileSync(join(folder, 'program.mjs'), toJavaScript(adapt(source, used), name))

  const preload = resolve(import.meta.dirname, 'loopback.cjs')
  const child = startChild(process.execPath, ['--require', preload, ...args, 'program.mjs'], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  onTestFinished(() => child.kill())
  for (const port of Object.values(used)) await untilOpen(Number(port), child)
  const port = Number(ports['3000'])
  return {
    port,
    probePort: Number(ports['9000']),
    child,
    get: (path, { port: other = port, ...init } = {}) => answerOf(`http://127.0.0.1:${other}${path}`, init),
  }
}

function toJavaScript(source: string, name: string): string {
  if (!name.endsWith('.ts')) return source
  const { ModuleKind, ScriptTarget } = ts
  const compilerOptions = {
    target: ScriptTarget.ES2022,
    module: ModuleKind.ESNext,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  }
  return ts.transpileModule(source, { compilerOptions }).outputText
}

async function untilOpen(port: number, child: Child): Promise<void> {
  const isOpen = () => {
    if (child.process.exitCode !== null) throw new Error(child.err.lines.join('\n'))
    return new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  }
  await expect.poll(isOpen).toBe(true)
}

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, headers: { connection: 'close', ...init.headers } })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined }
}
