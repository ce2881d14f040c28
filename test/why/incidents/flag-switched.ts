import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a new version of one route is switched on and fails for some orders',
  expected: {
    kind: 'errors',
    text: /% of \d+ requests to GET \/orders\/:id fail, usually 0 %, mostly TypeError: order has no currency/,
  },
  create: () => ({
    handle({ number }, isIncident) {
      if (isIncident && number % 5 === 0) throw new TypeError('order has no currency')
    },
  }),
}
