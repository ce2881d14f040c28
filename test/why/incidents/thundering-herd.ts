import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'ten times the usual requests arrive at a queue of one worker',
  expected: { kind: 'traffic', text: /requests in a minute, .* times the usual/ },
  requests: [40, 600],
  concurrency: 100,
  create() {
    let last: Promise<unknown> = Promise.resolve()
    return { handle: () => (last = last.then(() => delay(2))) }
  },
}
