import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a route that takes 100 ms, as always',
  concurrency: 10,
  create: () => ({ handle: ({ number }) => delay(80 + 10 * (number % 5)) }),
}
