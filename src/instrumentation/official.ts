import type { Channel } from 'node:diagnostics_channel'

/** A module of a library, and how one of its functions is reached that OpenTelemetry's own instrumentation wraps. */
export interface WrappedFunction {
  /** The end of the path of the module's file. */
  readonly file: string
  /** From what the module exports to the function. */
  readonly path: readonly string[]
}

/**
 * Tells whether OpenTelemetry's own instrumentation of a library is at work: it wraps functions of CommonJS modules and
 * marks them with `__wrapped`. Looked up once, when the library does something for the first time and so is loaded.
 */
export function createOfficialCheck({ file, path }: WrappedFunction): () => boolean {
  let answer: boolean | undefined
  return () => {
    answer ??= loadedMembers(file, path).some(isWrapped)
    return answer
  }
}

/**
 * Whether a subscriber of that name listens to a channel. There is no public way to ask, and none is found where Node keeps
 * its subscribers elsewhere.
 */
export function isHeardBy(subscriber: string, listened: Channel): boolean {
  const { _subscribers: subscribers } = listened as Channel & { readonly _subscribers?: unknown }
  return Array.isArray(subscribers) && subscribers.some((one) => typeof one === 'function' && one.name === subscriber)
}

/** Whether a function has been wrapped by OpenTelemetry's own instrumentation. */
export function isWrapped(value: unknown): boolean {
  return typeof value === 'function' && '__wrapped' in value && value.__wrapped === true
}

/** Returns a member of every loaded CommonJS module whose path ends with `node_modules/` and `file`. */
export function loadedMembers(file: string, path: readonly string[]): readonly unknown[] {
  return loadedModules(file).map((module) => memberAt(module, path))
}

function loadedModules(file: string): readonly unknown[] {
  const { cache } = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`)
  return Object.entries(cache).flatMap(([path, module]) =>
    path.replaceAll('\\', '/').endsWith(`/node_modules/${file}`) ? [module?.exports] : [],
  )
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  let member: unknown = value
  for (const key of path) {
    member =
      (typeof member === 'object' && member !== null) || typeof member === 'function'
        ? Reflect.get(member, key)
        : undefined
  }
  return member
}
