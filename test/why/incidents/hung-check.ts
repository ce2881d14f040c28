import { delay, type Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'a check never returns, as with a connection that is half open',
  expected: { kind: 'health', text: /^broker is DOWN/ },
  create() {
    let isHung = false
    const check = () => (isHung ? new Promise<never>(() => {}) : 'UP')
    return {
      begin() {
        isHung = true
      },
      options: { health: { indicators: { broker: { check, timeout: '100ms', cache: '10ms' } } } },
      handle: () => delay(1),
    }
  },
}
