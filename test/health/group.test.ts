import { systemClock } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'
import { type Component, createComponents } from '../../src/health/component.ts'
import { selectMembers } from '../../src/health/group.ts'
import { checkRunnerWith } from '../support/check-runner.ts'

const up = () => 'UP'
const components = createComponents(
  {
    app: up,
    db: { indicators: { primary: { indicators: { disk: up, pool: up } }, replica: up } },
    dbx: up,
  },
  checkRunnerWith(systemClock),
)

function paths(members: ReadonlyMap<string, Component>, prefix = ''): readonly string[] {
  return [...members].flatMap(([name, component]) =>
    component.kind === 'leaf' ? [prefix + name] : paths(component.components, `${prefix}${name}/`),
  )
}

const everything = ['app', 'db/primary/disk', 'db/primary/pool', 'db/replica', 'dbx']

describe('selectMembers', () => {
  it.each([
    [{}, everything],
    [{ include: ['*'] }, everything],
    [{ include: undefined, exclude: undefined }, everything],
    [{ include: [] }, []],
    [{ include: ['app'] }, ['app']],
    [{ include: ['db'] }, ['db/primary/disk', 'db/primary/pool', 'db/replica']],
    [{ include: ['db/primary'] }, ['db/primary/disk', 'db/primary/pool']],
    [{ include: ['db/primary/pool', 'dbx'] }, ['db/primary/pool', 'dbx']],
    [{ exclude: ['db'] }, ['app', 'dbx']],
    [{ exclude: ['db/primary/pool', 'db/replica'] }, ['app', 'db/primary/disk', 'dbx']],
    [{ include: ['db'], exclude: ['db/primary'] }, ['db/replica']],
    [{ include: ['app'], exclude: ['app'] }, []],
    [{ exclude: ['*'] }, []],
    [{ include: ['db/primary/pool'], exclude: ['db'] }, []],
  ])('returns for %j %j', (membership, members) => {
    expect(paths(selectMembers('g', components, membership))).toEqual(members)
  })

  it.each([['x'], ['db/x'], ['app/x'], ['db/primary/pool/x'], ['constructor'], [''], ['db/'], ['/db'], ['db/*']])(
    'rejects the unknown component %j',
    (member) => {
      const message = `: expected components of app, db, dbx, received ${JSON.stringify(member)}`
      for (const option of ['include', 'exclude']) {
        expect(() => selectMembers('g', components, { [option]: [member] })).toThrow(
          new RangeError(`createManagement: health.groups.g.${option}${message}`),
        )
      }
    },
  )
})
