import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a new process under full traffic',
  minutesBefore: 0,
  requests: [40, 400],
  concurrency: 16,
  create: () => ({ handle: () => delay(3) }),
}
