import type { Incident } from '../incident.ts'

const kept: string[][] = []

export const incident: Incident = {
  title: 'each request leaves 150 kB behind',
  expected: { kind: 'memory', text: /The heap is at \d+ % of its limit of \d+ MiB, grows by \d+ MiB a minute/ },
  nodeOptions: ['--max-old-space-size=200', '--expose-gc'],
  minutes: 10,
  create: () => ({
    handle({ number }, isIncident) {
      if (isIncident)
        kept.push(Array.from({ length: 1_500 }, (_unused, at) => `${'order'.repeat(8)} ${kept.length} ${at}`))
      // What collects garbage in a minute of real time happens once in a minute of the clock, which is shorter.
      if (number % 40 === 0) globalThis.gc?.()
    },
  }),
}
