/** The managements of this process. Only their number is kept, so that one that is not closed can be collected. */
interface CreatedManagements {
  open: number
  readonly listeners: Set<() => void>
}

// State of the process: all copies of this package share it, such as those of a bundle and of `upkeep/auto`.
const key = Symbol.for('upkeep.managements')
const shared = globalThis as typeof globalThis & { [key]?: CreatedManagements }

function createdManagements(): CreatedManagements {
  shared[key] ??= { open: 0, listeners: new Set() }
  return shared[key]
}

/** Counts a new management. Returns a function that is called when it is closed. */
export function countManagement(): () => void {
  const created = createdManagements()
  created.open += 1
  for (const listener of created.listeners) listener()
  let isClosed = false
  return () => {
    if (!isClosed) created.open -= 1
    isClosed = true
  }
}

/** Returns the number of managements that have been created in this process and not closed. */
export function openManagements(): number {
  return createdManagements().open
}

/** Calls a listener for each management that is created. Returns an unsubscribe function. */
export function onManagementCreated(listener: () => void): () => void {
  const { listeners } = createdManagements()
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
