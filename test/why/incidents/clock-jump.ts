import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'the clock of the system jumps by an hour, so that all tokens have expired',
  expected: { kind: 'clock', text: /The clock of the system jumped by 3600 s/ },
  wallClockShift: 3_600_000,
  seconds: 2,
  create: () => ({
    handle({ number }, isIncident) {
      if (isIncident && number % 2 === 0) throw new Error('token expired')
    },
  }),
}
