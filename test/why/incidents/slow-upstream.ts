import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'another service takes a quarter of a second longer',
  expected: { kind: 'outgoing', text: /Calls to http 127\.0\.0\.1.* take/ },
  create: ({ callPayments }) => ({
    handle: (_, isIncident) => callPayments({ milliseconds: isIncident ? 250 : 3 }),
  }),
}
