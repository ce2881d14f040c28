import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { TracedRequest } from '../../support/ended-spans.ts'

/** How an application is built: as ES modules or as CommonJS, with its packages beside it or in one file with them. */
export type Form = 'esm' | 'cjs' | 'bundled esm' | 'bundled cjs'

/** What upkeep has recorded of an application. */
export interface Recorded {
  readonly found: readonly string[]
  readonly unseen: readonly string[]
  /** By `uri method status outcome exception`. */
  readonly counts: readonly (readonly [string, number])[]
  /** The values of the tags of each kind of query, and of each kind of outgoing request. */
  readonly queries: readonly string[]
  readonly calls: readonly string[]
  readonly spans: readonly TracedRequest[]
  /** As the endpoint `mappings` shows them. */
  readonly routes: readonly string[]
  readonly reports: readonly string[]
}

/** An application of a test, observed in a process of its own. */
export interface RunningApplication {
  readonly port: number
  /** All that it sent first. */
  readonly started: { readonly port: number; readonly ports?: readonly number[] }
  readonly process: ChildProcess
  /** Returns what it has written to its standard output. */
  output(): string
  /** Returns what is recorded as soon as `isComplete` holds. */
  recorded(isComplete: (recorded: Recorded) => boolean): Promise<Recorded>
  end(): Promise<void>
}

export interface ApplicationOptions {
  readonly form: Form
  /** Packages in place of others. */
  readonly alias?: Readonly<Record<string, string>>
  /** The folder whose packages it imports, unless they are bundled. @default that of the repository */
  readonly packages?: string
  readonly env?: NodeJS.ProcessEnv
}

const root = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'upkeep-auto-'))
let files = 0

/** Builds an application of `applications/`, and starts it with the preload. */
export async function startApplication(name: string, options: ApplicationOptions): Promise<RunningApplication> {
  const preload = await preloadFile()
  const file = await buildApplication(name, options)
  const child = fork(file, {
    execArgv: ['--require', preload],
    env: { ...process.env, NODE_OPTIONS: '', VITEST: '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let errors = ''
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`${name} exited with ${code}: ${errors.slice(-500)}`)
  })
  failed.catch(() => {})
  const [started] = (await Promise.race([once(child, 'message'), failed])) as [RunningApplication['started']]
  return {
    ...{ port: started.port, started, process: child },
    output: () => output,
    async recorded(isComplete) {
      for (;;) {
        child.send('report')
        const [recorded] = (await Promise.race([once(child, 'message'), failed])) as [Recorded]
        if (isComplete(recorded)) return recorded
      }
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

let preload: Promise<string> | undefined

function preloadFile(): Promise<string> {
  preload ??= buildFile(join(import.meta.dirname, 'preload.ts'), { form: 'bundled cjs' })
  return preload
}

function buildApplication(name: string, options: ApplicationOptions): Promise<string> {
  return buildFile(join(import.meta.dirname, 'applications', `${name}.mjs`), options)
}

async function buildFile(source: string, { form, alias = {}, packages = root }: ApplicationOptions): Promise<string> {
  const isEsm = form.endsWith('esm')
  const directory = join(folder, String(files++))
  mkdirSync(directory)
  if (!form.startsWith('bundled')) symlinkSync(join(packages, 'node_modules'), join(directory, 'node_modules'))
  const outfile = join(directory, isEsm ? 'application.mjs' : 'application.cjs')
  await build({
    ...{ entryPoints: [source], outfile, bundle: true, platform: 'node', logLevel: 'silent', alias },
    format: isEsm ? 'esm' : 'cjs',
    packages: form.startsWith('bundled') ? 'bundle' : 'external',
    minify: form.startsWith('bundled') && source.endsWith('.mjs'),
    ...(form === 'bundled esm' && { banner: { js: requireInEsm } }),
  })
  return outfile
}

const requireInEsm = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
