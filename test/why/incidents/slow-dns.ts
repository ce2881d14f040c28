import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'names are resolved slowly, before each call',
  expected: { kind: 'latency', text: /GET \/orders\/:id.*time is own code/ },
  create: ({ callPayments }) => ({
    async handle(_, isIncident) {
      await delay(isIncident ? 200 : 1)
      await callPayments({})
    },
  }),
}
