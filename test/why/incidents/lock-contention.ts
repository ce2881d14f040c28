import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'all requests to one route wait for one lock',
  expected: { kind: 'latency', text: /GET \/orders\/:id.*time is own code/ },
  concurrency: 8,
  create() {
    let last: Promise<unknown> = Promise.resolve()
    return {
      handle(_, isIncident) {
        last = isIncident ? last.then(() => delay(40)) : delay(2)
        return last
      },
    }
  },
}
