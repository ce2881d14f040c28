import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'another service responds with 503 to every second request',
  expected: { kind: 'outgoing', text: /% of \d+ calls to http 127\.0\.0\.1.* fail/ },
  create: ({ callPayments }) => ({
    async handle({ number }, isIncident) {
      const status = await callPayments({ status: isIncident && number % 2 === 0 ? 503 : 200 })
      if (status !== 200) throw new Error(`payments responded with ${status}`)
    },
  }),
}
