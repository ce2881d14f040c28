import { describe, expect, it } from 'vitest'
import { functionsOf, layOut, parseFolded } from '../../../src/console/ui/folded-stacks.ts'

const root = parseFolded('main;a;b 30\nmain;a;c 10\nmain;a 10\nworker;b 50\n\nrubbish\nx y\n')

describe('folded stacks', () => {
  it('are read as a tree with sums', () => {
    expect([root.total, root.self]).toEqual([100, 0])
    const [main, worker] = root.children
    expect([main?.name, main?.total, worker?.name, worker?.total]).toEqual(['main', 50, 'worker', 50])
    expect(main?.children[0]).toMatchObject({ name: 'a', total: 50, self: 10 })
  })

  it('have functions with their own time, over all stacks', () => {
    expect(functionsOf(root).map(({ name, self, total }) => [name, self, total])).toEqual([
      ['b', 80, 80],
      ['a', 10, 50],
      ['c', 10, 10],
      ['worker', 0, 50],
      ['main', 0, 50],
    ])
  })

  it('count a recursion once', () => {
    const recursive = functionsOf(parseFolded('main;f;f;f 9\n'))
    expect(recursive.find(({ name }) => name === 'f')).toMatchObject({ self: 9, total: 9 })
  })

  it('contain names with spaces, and names of the prototype', () => {
    const [frame] = parseFolded('main;get user (file:///a b.js:1);__proto__ 5\n').children
    expect(frame?.children[0]).toMatchObject({ name: 'get user (file:///a b.js:1)' })
    expect(frame?.children[0]?.children[0]).toMatchObject({ name: '__proto__', self: 5 })
  })
})

describe('a flame graph', () => {
  const boxesOf = (...args: Parameters<typeof layOut>) =>
    layOut(...args).map(({ frame, left, row, width }) => [frame.name, left, row, width])

  it('gives each function the width of its share, the longest first', () => {
    expect(boxesOf(root, 100)).toEqual(
      expect.arrayContaining([
        ['all', 0, 0, 100],
        ['main', 0, 1, 50],
        ['worker', 50, 1, 50],
        ['a', 0, 2, 50],
        ['b', 0, 3, 30],
        ['c', 30, 3, 10],
      ]),
    )
  })

  it('shows a function at full width, below those that called it', () => {
    const a = root.children[0]?.children[0]
    if (a === undefined) throw new Error('expected a')
    expect(boxesOf(a, 100).slice(0, 3)).toEqual([
      ['all', 0, 0, 100],
      ['main', 0, 1, 100],
      ['a', 0, 2, 100],
    ])
  })

  it('leaves out what is too narrow, and what is too deep', () => {
    expect(boxesOf(parseFolded('a 999999\nb 1\n'), 100)).toHaveLength(2)
    const deep = parseFolded(`${Array.from({ length: 5_000 }, () => 'f').join(';')} 1\n`)
    expect(layOut(deep, 100)).toHaveLength(400)
  })
})
