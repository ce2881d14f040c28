import { describe, expect, it } from 'vitest'
import { groupText, showGroup } from '../../src/cli/cluster-list.ts'
import type { MemberRecord } from '../../src/cluster/member-image.ts'
import type { SeriesDefinition } from '../../src/cluster/series-definition.ts'

const definition: SeriesDefinition = {
  kind: 'counter',
  id: { name: 'a', tags: [], description: undefined, baseUnit: undefined },
  created: 0,
}

function memberOf(slot: number, { age = 0, isAlive = true, ...state }: Partial<MemberRecord & MemberRecord['state']>) {
  const record: MemberRecord = {
    identity: {
      ...{ slot, pid: 100 + slot, threadId: 0, parent: 1, incarnation: `${slot}`, processStart: '' },
      ...{ systemThread: undefined, joinedAt: 0, application: 'orders', version: '1.4.2' },
    },
    state: { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false, ...state },
    ...{ isAlive, isProcessAlive: isAlive, age },
    image: {
      definitions: [definition, undefined, definition],
      ...{ places: [0, 0, 1], cells: new Float64Array(2), exemplars: [], generation: '' },
    },
  }
  return record
}

describe('the list of a group', () => {
  it('has the state, age and number of series of each member', () => {
    const members = [
      memberOf(0, {}),
      memberOf(1, { readiness: 'REFUSING_TRAFFIC' }),
      memberOf(2, { readiness: 'REFUSING_TRAFFIC', liveness: 'BROKEN', age: 1.25 }),
      memberOf(3, { liveness: 'BROKEN', age: 59.9 }),
      memberOf(4, { age: 60, isAlive: false }),
      memberOf(5, { age: 7_200, isAlive: false }),
      memberOf(16, { age: 90_000, isAlive: false }),
    ]
    expect(groupText(showGroup({ id: 'orders-1', members })).split('\n')).toEqual([
      'orders-1: 4 live members, 3 ended',
      '  slot  pid  thread  state         age  series',
      '     0  100       0  accepting   0.0 s       2',
      '     1  101       0  refusing    0.0 s       2',
      '     2  102       0  broken      1.3 s       2',
      '     3  103       0  stale      59.9 s       2',
      '     4  104       0  ended       1 min       2',
      '     5  105       0  ended         2 h       2',
      '    16  116       0  ended         1 d       2',
      '',
    ])
  })

  it('contains no control characters, which a terminal would obey', () => {
    const refused = [{ file: '1\u001b[2J.member', reason: 'truncated\r\u009b2J' }]
    const text = groupText(showGroup({ id: 'a\nb', members: [] }, refused))
    expect(text).toBe('a\ufffdb: 0 live members\n  1\ufffd[2J.member is refused: truncated\ufffd\ufffd2J\n')
  })
})
