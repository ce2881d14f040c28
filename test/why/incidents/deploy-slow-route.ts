import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a deployment made one route slow: the process has no time before to compare with',
  expected: { kind: 'latency', text: /GET \/orders\/:id/ },
  minutesBefore: 0,
  minutes: 3,
  create: () => ({ handle: () => delay(100) }),
}
