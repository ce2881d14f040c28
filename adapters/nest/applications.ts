import type { Management } from '../../src/entries/index.ts'

/** The managements of the Nest applications in this process, and the objects that belong to each. */
interface Applications {
  readonly owners: WeakMap<object, Management>
  readonly open: Set<Management>
}

const key: unique symbol = Symbol.for('upkeep.nest')

function applications(): Applications {
  const shared = globalThis as { [key]?: Applications }
  shared[key] ??= { owners: new WeakMap(), open: new Set() }
  return shared[key]
}

/** Opens a management for decorated methods. Returns a function that closes it. */
export function openApplication(management: Management): () => void {
  const { open } = applications()
  open.add(management)
  return () => void open.delete(management)
}

/** Registers the management of the application that an object belongs to. */
export function adopt(object: unknown, management: Management): void {
  if (typeof object === 'object' && object !== null) applications().owners.set(object, management)
}

/** Whether an object belongs to the application of a management. */
export function isOwnedBy(object: unknown, management: Management): boolean {
  return managementOf(object) === management
}

/**
 * Returns the management of the application that an object belongs to; for an object that no container holds, such as
 * one of a single request, that of the application that was created last.
 */
export function managementOf(object: unknown): Management | undefined {
  const { owners, open } = applications()
  const owner = typeof object === 'object' && object !== null ? owners.get(object) : undefined
  if (owner !== undefined) return open.has(owner) ? owner : undefined
  return [...open].at(-1)
}
