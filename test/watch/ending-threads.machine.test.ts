import { resolve } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'

const root = resolve(import.meta.dirname, '../..')

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

it.each([
  ['a thread dump', '/management/threaddump', 30, 100, 300],
  // Between the commands that begin a profile and those that end it: Node aborts if a thread ends while one is passed.
  ['a profile', '/management/profile?seconds=1&format=folded', 12, 300, 700],
])(
  'worker threads that start and end during %s neither end the process nor stay paused',
  async (_what, target, ...numbers) => {
    const [rounds] = numbers
    const child = startChild(
      process.execPath,
      ['test/watch/ending-threads-service.mjs', target, ...numbers.map(String)],
      {
        cwd: root,
      },
    )
    onTestFinished(() => child.kill())
    const ended = await child.ended
    // What Node prints when it ends itself is shown if this fails.
    const err = child.err.lines.filter((line) => !line.includes('audit:'))
    expect({ ended, out: child.out.lines, err }).toEqual({ ended: 0, out: [`rounds ${rounds}`], err: [] })
  },
  600_000,
)
