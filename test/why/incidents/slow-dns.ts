import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'names are resolved slowly, before each call',
  expected: { kind: 'latency', text: /GET \/orders\/:id.*time is own code/ },
  requests: [40, 20],
  create: ({ callPayments }) => ({
    async handle(_, isIncident) {
      await delay(isIncident ? 600 : 1)
      await callPayments({})
    },
  }),
}
