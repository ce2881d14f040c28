import { pbkdf2Sync } from 'node:crypto'
import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'passwords are derived synchronously',
  expected: { kind: 'event-loop', text: /The event loop (?:was blocked|has been busy)/ },
  requests: [40, 4],
  seconds: 6,
  create: () => ({
    handle: ({ number }, isIncident) =>
      pbkdf2Sync(`secret ${number}`, 'salt', isIncident ? 500_000 : 100, 32, 'sha512'),
  }),
}
