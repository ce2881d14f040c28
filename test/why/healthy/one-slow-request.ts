import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'one request that takes a second',
  create: () => ({ handle: ({ number }, isIncident) => delay(isIncident && number % 50 === 0 ? 1_000 : 3) }),
}
