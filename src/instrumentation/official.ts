import type { Channel } from 'node:diagnostics_channel'

/** A function that OpenTelemetry's instrumentation wraps, and the module that exports it. */
export interface WrappedFunction {
  /** End of the path of the module's file. */
  readonly file: string
  /** Path from the module's exports to the function. */
  readonly path: readonly string[]
}

/**
 * Returns a function that checks whether OpenTelemetry's instrumentation of a library is active: it wraps functions of
 * CommonJS modules and marks them with `__wrapped`. The result of the first check, when the library is used and so
 * loaded, is cached.
 */
export function createOfficialCheck({ file, path }: WrappedFunction): () => boolean {
  let answer: boolean | undefined
  return () => {
    answer ??= loadedMembers(file, path).some(isWrapped)
    return answer
  }
}

/**
 * Whether a channel has a subscriber of that name. There is no public API; returns `false` if Node stores subscribers
 * elsewhere.
 */
export function hasSubscriberNamed(subscriber: string, listened: Channel): boolean {
  const { _subscribers: subscribers } = listened as Channel & { readonly _subscribers?: unknown }
  return Array.isArray(subscribers) && subscribers.some((one) => typeof one === 'function' && one.name === subscriber)
}

/** Whether a function is wrapped by OpenTelemetry's instrumentation. */
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
