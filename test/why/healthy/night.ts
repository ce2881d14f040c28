import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a night with a request now and then',
  requests: [40, 2],
  minutes: 15,
  create: () => ({ handle: ({ number }) => delay(2 + (number % 5)) }),
}
