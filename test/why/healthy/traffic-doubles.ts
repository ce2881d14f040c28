import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'the traffic doubles',
  requests: [40, 80],
  minutes: 4,
  create: () => ({ handle: ({ number }) => delay(2 + (number % 5)) }),
}
