import { setTimeout as delay } from 'node:timers/promises'

/** Tells the test the port of a server. */
export function ready(server) {
  process.send({ port: server.address().port })
}

/** Returns the id of the current trace, after a timer. */
export async function currentTrace() {
  await delay(1)
  return globalThis[Symbol.for('upkeep.tracing')]?.current?.activeSpan()?.context.traceId ?? 'none'
}
