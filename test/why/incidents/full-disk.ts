import type { Incident } from '../incident.ts'

export const incident: Incident = {
  title: 'the disk is full',
  expected: { kind: 'health', text: /^diskSpace is DOWN/ },
  create() {
    let isFull = false
    return {
      begin() {
        isFull = true
      },
      options: {
        health: {
          indicators: {
            // As the indicator of the package, whose threshold does not change.
            diskSpace: {
              check: () => ({ status: isFull ? 'DOWN' : 'UP', details: { free: isFull ? 0 : 2 ** 33 } }),
              cache: '10ms',
            },
          },
        },
      },
      handle() {
        if (isFull) throw new Error('ENOSPC: no space left on device, write')
      },
    }
  },
}
