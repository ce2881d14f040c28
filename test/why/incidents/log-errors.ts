import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a background job fails for each order, and no request notices',
  expected: {
    kind: 'logs',
    text: /errors of the logger ROOT.*none in the 55 minutes before, such as: invoice \d+ could not be sent/,
  },
  create: ({ logger }) => ({
    handle({ number }, isIncident) {
      if (isIncident) logger.error(`invoice ${number} could not be sent to "customer ${number}"`)
    },
  }),
}
