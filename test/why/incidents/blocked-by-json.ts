import type { Incident } from '../incident.ts'

const large = JSON.stringify(
  Array.from({ length: 700_000 }, (_, id) => ({ id, name: `customer ${id}`, tags: ['a', 'b'] })),
)

export const incident: Incident = {
  title: 'a document of 35 MB is parsed in one piece',
  expected: { kind: 'event-loop', text: /The event loop was blocked/ },
  requests: [40, 6],
  seconds: 6,
  create: () => ({
    handle: ({ number }, isIncident) => JSON.parse(isIncident && number % 3 === 0 ? large : '{}'),
  }),
}
