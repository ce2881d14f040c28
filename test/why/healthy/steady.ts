import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'steady traffic',
  create: () => ({ handle: ({ number }) => delay(2 + (number % 7)) }),
}
