import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'one of a hundred requests fails, as always',
  minutes: 4,
  create: () => ({
    handle({ number }) {
      if (number % 100 === 7) throw new Error('conflict')
    },
  }),
}
