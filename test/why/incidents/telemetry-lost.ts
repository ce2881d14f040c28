import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'the receiver of telemetry is away',
  expected: { kind: 'telemetry', text: /did not reach the receiver of telemetry/ },
  receiverFails: true,
  seconds: 1,
  create: () => ({ handle: () => delay(1) }),
}
