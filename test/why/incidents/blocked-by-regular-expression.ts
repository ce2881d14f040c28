import type { Incident } from '../incident.ts'

const email = /^(?:[a-z0-9]+)+$/

export const incident: Incident = {
  title: 'a regular expression that backtracks blocks the event loop',
  expected: { kind: 'event-loop', text: /The event loop was blocked/ },
  requests: [40, 6],
  seconds: 6,
  create: () => ({
    handle: ({ number }, isIncident) => email.test(isIncident && number % 3 === 0 ? `${'a'.repeat(27)}!` : 'ada'),
  }),
}
