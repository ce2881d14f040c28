import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'each failed call is repeated four times at once',
  expected: { kind: 'outgoing', text: /% of \d+ calls to http 127\.0\.0\.1.* fail/ },
  create: ({ callPayments }) => ({
    async handle(_, isIncident) {
      for (let attempt = 0; attempt < 5; attempt++) {
        if ((await callPayments({ status: isIncident ? 500 : 200 })) === 200) return
      }
      throw new Error('payments failed five times')
    },
  }),
}
