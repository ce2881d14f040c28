import type { Indicators } from 'upkeep'
import { systemClock } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'
import { createComponents, findComponent } from '../../src/health/component.ts'
import { checkRunnerWith } from '../support/check-runner.ts'

const up = () => 'UP'
const create = (indicators: Indicators) => createComponents(indicators, checkRunnerWith(systemClock))

describe('createComponents', () => {
  it('creates a tree, each level sorted by name', () => {
    const components = create({ db: { indicators: { replica: up, primary: up } }, cache: up, app: { state: up } })
    expect([...components.keys()]).toEqual(['app', 'cache', 'db'])
    const db = components.get('db')
    expect(db?.kind === 'composite' && [...db.components.keys()]).toEqual(['primary', 'replica'])
  })

  it.each([
    ['a function', up],
    ['a function with options', { check: up, timeout: '1s' }],
    ['a state', { state: up }],
  ] as const)('makes a leaf of %s', async (_, indicator) => {
    const leaf = create({ a: indicator }).get('a')
    expect(leaf?.kind === 'leaf' && (await leaf.check(0))).toEqual({ status: 'UP' })
  })

  it('accepts methods beside the options of an indicator, and any members of an instance', () => {
    class Database {
      readonly pool = 'main'
      check = up
    }
    const closing = { check: up, timeout: '1s', close: () => {} } as const
    expect([...create({ a: closing, b: new Database() }).keys()]).toEqual(['a', 'b'])
  })

  it('throws for a misspelled option of an indicator', () => {
    const misspelled = { check: up, timout: '1s' }
    expect(() => create({ a: misspelled })).toThrow(
      'createManagement: unknown option "health.indicators.a.timout"; did you mean "health.indicators.a.timeout"?',
    )
  })

  it('reads a state each time, and reports what it throws as DOWN', () => {
    const states = ['UP', 'DOWN', '']
    const leaf = create({ a: { state: () => states.shift() ?? 'UNKNOWN' } }).get('a')
    const read = () => leaf?.kind === 'leaf' && leaf.check(0)
    expect([read(), read(), read(), read()]).toEqual([
      { status: 'UP' },
      { status: 'DOWN' },
      {
        status: 'DOWN',
        details: {
          error: "TypeError: expected a status such as 'UP', or { status, details }, received an empty string",
        },
      },
      { status: 'UNKNOWN' },
    ])
  })

  it.each([
    [{ '': up }, 'indicators: expected names without a slash, received ""'],
    [{ 'a/b': up }, 'indicators: expected names without a slash, received "a/b"'],
    [{ a: { indicators: { 'b/c': up } } }, 'indicators.a.indicators: expected names without a slash, received "b/c"'],
  ])('rejects %j', (indicators, message) => {
    expect(() => create(indicators)).toThrow(new RangeError(`createManagement: health.${message}`))
  })

  it.each([
    undefined,
    null,
    'UP',
    5,
    {},
    { check: 'UP' },
    { state: 'UP' },
    { indicators: undefined },
    { indicators: 'a' },
  ])('rejects the indicator %j, with its path', (indicator) => {
    expect(() => create({ a: { indicators: { b: indicator as never } } })).toThrow(
      /^createManagement: health\.indicators\.a\.indicators\.b: expected a function, \{ check \}.*, received \S/,
    )
  })
})

describe('findComponent', () => {
  const components = create({ db: { indicators: { primary: up } }, constructor: up })

  it.each([[['db']], [['db', 'primary']], [['constructor']]])('finds %j', (path) => {
    expect(findComponent(components, path)).toBeDefined()
  })

  it.each([[[]], [['']], [['x']], [['db', 'x']], [['db', 'primary', 'x']], [['toString']], [['__proto__']]])(
    'finds nothing at %j',
    (path) => {
      expect(findComponent(components, path)).toBeUndefined()
    },
  )
})
