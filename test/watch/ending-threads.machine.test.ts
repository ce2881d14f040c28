import { resolve } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'

const root = resolve(import.meta.dirname, '../..')

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

it.each([
  ['a thread dump', '/management/threaddump', 30],
  ['a profile', '/management/profile?seconds=0.2&format=folded', 20],
])(
  'worker threads that start and end during %s neither end the process nor stay paused',
  async (_what, target, rounds) => {
    const child = startChild(process.execPath, ['test/watch/ending-threads-service.mjs', target, String(rounds)], {
      cwd: root,
    })
    onTestFinished(() => child.kill())
    const ended = await child.ended
    // What Node prints when it ends itself is shown if this fails.
    const err = child.err.lines.filter((line) => !line.includes('audit:'))
    expect({ ended, out: child.out.lines, err }).toEqual({ ended: 0, out: [`rounds ${rounds}`], err: [] })
  },
  300_000,
)
