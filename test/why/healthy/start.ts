import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'the first minutes after a start',
  minutesBefore: 0,
  create: () => ({ handle: ({ number }) => delay(number < 10 ? 80 : 3) }),
}
