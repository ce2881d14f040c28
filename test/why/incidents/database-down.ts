import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'the database refuses connections',
  expected: { kind: 'health', text: /^db is DOWN.*connect ECONNREFUSED/ },
  create() {
    let isDown = false
    return {
      begin() {
        isDown = true
      },
      options: { health: { indicators: { db: { check: () => (isDown ? refuse() : 'UP'), cache: '10ms' } } } },
      handle: () => (isDown ? refuse() : undefined),
    }
  },
}

function refuse(): never {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
}
