/** A running task. Its owner stores the position, so that adding and removing it allocates nothing. */
export interface ActiveTask {
  /** Milliseconds of monotonic time. */
  readonly startedAt: number
  /** The position in the list; -1 outside of it. Only the list changes it. */
  slot: number
}

/** The tasks that are running, in any order. Adding and removing take constant time and read no clock. */
export class ActiveTasks {
  readonly #tasks: ActiveTask[] = []
  #started = 0

  add(task: ActiveTask): void {
    task.slot = this.#tasks.length
    this.#tasks.push(task)
    this.#started += 1
  }

  /** Has no effect for a task that is not in the list. */
  remove(task: ActiveTask): void {
    const { slot } = task
    if (slot < 0) return
    task.slot = -1
    const last = this.#tasks.pop()
    if (last === undefined || last === task) return
    this.#tasks[slot] = last
    last.slot = slot
  }

  get count(): number {
    return this.#tasks.length
  }

  /** The tasks at present: the list itself, to be read at once. */
  get tasks(): readonly ActiveTask[] {
    return this.#tasks
  }

  /** How many tasks have been added so far. */
  get started(): number {
    return this.#started
  }

  /** Returns how long each task has been running, in seconds. `now` is in milliseconds of monotonic time. */
  durations(now: number): number[] {
    return this.#tasks.map(({ startedAt }) => (now - startedAt) / 1_000)
  }
}
