import type { Incident } from '../incident.ts'

let live: object[] = []

export const incident: Incident = {
  title: 'the live objects almost fill the heap, so that collections follow each other',
  expected: { kind: 'gc', text: /Garbage collection took/ },
  nodeOptions: ['--max-old-space-size=100'],
  requests: [40, 4],
  seconds: 5,
  create: () => ({
    begin() {
      live = Array.from({ length: 850_000 }, (_, id) => ({ id, next: { id } }))
    },
    handle(_, isIncident) {
      if (!isIncident) return
      for (let at = 0; at < 60_000; at++) live[(at * 7_919) % live.length] = { id: at, next: { id: at } }
    },
  }),
}
