/** Shared by duplicate installs of upkeep. */
const own: unique symbol = Symbol.for('upkeep.ownServer')

/** Marks a server that serves nothing but a management: its requests are not requests to the application. */
export function markOwnServer(server: object): void {
  Object.defineProperty(server, own, { value: true })
}

/** Whether a server was opened by upkeep, also by another copy of it. */
export function isOwnServer(server: object): boolean {
  return own in server
}
