import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'many requests for what does not exist',
  create: () => ({
    handle: ({ number }, isIncident) => (isIncident && number % 2 === 0 ? { status: 404 } : undefined),
  }),
}
