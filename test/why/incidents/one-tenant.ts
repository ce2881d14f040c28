import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'the route of one tenant exports everything at once',
  expected: { kind: 'latency', text: /GET \/reports\/:id/ },
  requests: [60, 40],
  pathOf: (number) => (number % 2 === 0 ? `/reports/${number}` : `/orders/${number}`),
  create: () => ({
    handle: ({ path }, isIncident) => delay(isIncident && path.startsWith('/reports') ? 600 : 2),
  }),
}
