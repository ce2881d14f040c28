import type { Incident } from '../incident.ts'

const cache: string[] = []

export const incident: Incident = {
  title: 'a cache that grows to a tenth of the heap and stays',
  nodeOptions: ['--max-old-space-size=150'],
  minutes: 10,
  create: () => ({
    handle({ number }) {
      if (cache.length < 100_000) for (let at = 0; at < 500; at++) cache.push(`entry ${number} ${at}`)
    },
  }),
}
