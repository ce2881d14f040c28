import { Worker } from 'node:worker_threads'
import { delay, type Incident } from '../incident.ts'

let neighbours: readonly Worker[] = []

export const incident: Incident = {
  title: 'other threads take the processor from the service',
  expected: { kind: 'event-loop', text: /./ },
  seconds: 3,
  create: () => ({
    begin() {
      neighbours = Array.from({ length: 4 }, () => new Worker('for (;;) {}', { eval: true }))
    },
    handle: () => delay(2 + 0 * neighbours.length),
  }),
}
