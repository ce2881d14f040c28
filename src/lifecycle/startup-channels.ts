import { lazy } from '../base/lazy.ts'

const channels = lazy(() => process.getBuiltinModule('node:diagnostics_channel'))

/** Modules that take less time to load are not recorded. */
const slowMilliseconds = 20

const maxText = 200

/** Records a step when it has ended. `since` is in milliseconds since the epoch. */
export type RecordStep = (
  name: string,
  since: number,
  tags?: Readonly<Record<string, string>>,
  ids?: { readonly id: number; readonly parentId: number | undefined },
) => void

type Subscriber = (message: unknown) => void

/** Calls `record` with the address of each server that begins to listen. Returns a function that stops it. */
export function observeListening(record: (tags: Readonly<Record<string, string>>) => void): () => void {
  return subscribeAll({
    'tracing:net.server.listen:asyncEnd': (message) => {
      const server = memberOf(message, 'server')
      const read = memberOf(server, 'address')
      const address: unknown = typeof read === 'function' ? read.call(server) : undefined
      if (typeof address === 'string') record({ path: text(address) })
      else if (typeof address === 'object' && address !== null) {
        record({ address: text(memberOf(address, 'address')), port: text(memberOf(address, 'port')) })
      }
    },
  })
}

/** Where loaded modules are recorded. */
interface ModuleRecorder {
  readonly now: () => number
  readonly createId: () => number
  readonly record: RecordStep
}

interface Loading {
  readonly id: number
  readonly parentId: number | undefined
  readonly since: number
}

/**
 * Records modules that are slow to load, where Node publishes that: from Node 22.13 on. The parent of a module that is
 * required is the one that requires it. Returns a function that stops it.
 */
export function observeSlowModules({ now, createId, record }: ModuleRecorder): () => void {
  const loading = new WeakMap<object, Loading>()
  const requiring: Loading[] = []

  function begin(message: unknown): Loading | undefined {
    if (typeof message !== 'object' || message === null) return undefined
    const started = { id: createId(), parentId: requiring.at(-1)?.id, since: now() }
    loading.set(message, started)
    return started
  }

  function end(message: unknown, member: 'id' | 'url'): void {
    const started = typeof message === 'object' && message !== null ? loading.get(message) : undefined
    if (started === undefined || now() - started.since < slowMilliseconds) return
    const { id, parentId, since } = started
    const parent = memberOf(message, member === 'id' ? 'parentFilename' : 'parentURL')
    const tags = { module: place(memberOf(message, member)), ...(parent !== undefined && { parent: place(parent) }) }
    record(member === 'id' ? 'module.require' : 'module.import', since, tags, { id, parentId })
  }

  return subscribeAll({
    'tracing:module.require:start': (message) => {
      const started = begin(message)
      if (started !== undefined) requiring.push(started)
    },
    'tracing:module.require:end': (message) => {
      requiring.pop()
      end(message, 'id')
    },
    'tracing:module.import:start': begin,
    'tracing:module.import:asyncEnd': (message) => end(message, 'url'),
  })
}

function subscribeAll(subscribers: Readonly<Record<string, Subscriber>>): () => void {
  for (const [name, subscriber] of Object.entries(subscribers)) channels().subscribe(name, subscriber)
  return () => {
    for (const [name, subscriber] of Object.entries(subscribers)) channels().unsubscribe(name, subscriber)
  }
}

function memberOf(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null ? Reflect.get(object, key) : undefined
}

/** Returns the name or the address of a module, without a query and without the content of a `data:` URL. */
function place(value: unknown): string {
  const address = String(value)
  return address.startsWith('data:') ? 'data:' : text(address.split('?')[0])
}

function text(value: unknown): string {
  return String(value).slice(0, maxText)
}
