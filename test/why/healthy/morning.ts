import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'traffic begins after a quiet night',
  requests: [2, 60],
  minutes: 4,
  create: () => ({ handle: ({ number }) => delay(2 + (number % 5)) }),
}
