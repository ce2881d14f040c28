import { describe, expect, it } from 'vitest'
import { createScope } from '../../src/health/scope.ts'
import { showReport } from '../../src/health/visibility.ts'

const report = {
  status: 'UP',
  description: 'fine',
  components: {
    app: { status: 'UP', details: { a: 1 } },
    db: { status: 'UP', components: { primary: { status: 'UP', description: 'first', details: { b: 2 } } } },
    none: { status: 'UP', details: {} },
    hollow: { status: 'UP', components: {} },
  },
}

describe('showReport', () => {
  it('returns everything if details and components are visible', () => {
    expect(showReport(report, { components: true, details: true })).toStrictEqual({
      status: 'UP',
      description: 'fine',
      components: {
        app: { status: 'UP', details: { a: 1 } },
        db: { status: 'UP', components: { primary: { status: 'UP', description: 'first', details: { b: 2 } } } },
        none: { status: 'UP' },
        hollow: { status: 'UP' },
      },
    })
  })

  it('returns components without their details', () => {
    expect(showReport(report, { components: true, details: false })).toStrictEqual({
      status: 'UP',
      description: 'fine',
      components: {
        app: { status: 'UP' },
        db: { status: 'UP', components: { primary: { status: 'UP', description: 'first' } } },
        none: { status: 'UP' },
        hollow: { status: 'UP' },
      },
    })
  })

  it('returns no details of hidden components', () => {
    expect(showReport(report, { components: false, details: true })).toStrictEqual({
      status: 'UP',
      description: 'fine',
    })
    expect(showReport(report.components.app, { components: false, details: true })).toStrictEqual({
      status: 'UP',
      details: { a: 1 },
    })
  })

  it('always returns the status', () => {
    expect(showReport(report, { components: false, details: false })).toStrictEqual({
      status: 'UP',
      description: 'fine',
    })
  })
})

describe('createScope', () => {
  const hidden = { components: false, details: false }
  const shown = { components: true, details: true }
  const outline = { components: true, details: false }

  it.each([
    [{}, hidden, hidden, false],
    [{ showDetails: 'never' }, hidden, hidden, false],
    [{ showDetails: 'when-authorized' }, hidden, shown, true],
    [{ showDetails: 'always' }, shown, shown, false],
    [{ showComponents: 'always' }, outline, outline, false],
    [{ showComponents: 'when-authorized' }, hidden, outline, true],
    [{ showDetails: 'when-authorized', showComponents: 'always' }, outline, shown, true],
    [
      { showDetails: 'always', showComponents: 'never' },
      { components: false, details: true },
      { components: false, details: true },
      false,
    ],
    [{ showDetails: undefined, showComponents: undefined }, hidden, hidden, false],
  ] as const)('by %j shows a stranger %j and an acquaintance %j', (options, stranger, acquaintance, isPersonal) => {
    const { view, isViewPersonal } = createScope(new Map(), options)
    expect([view(false), view(true), isViewPersonal]).toEqual([stranger, acquaintance, isPersonal])
  })
})
