import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MemberExemplar, MemberImage } from '../../src/cluster/member-image.ts'
import { cellCount, type SeriesDefinition } from '../../src/cluster/series-definition.ts'
import { cpuTime } from '../support/growth/cpu-time.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { counter, joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'
import { accepting, valuesOf } from './merge-cells.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('\ud800', '__proto__', '"\\\n', ''))
const bounds = fc
  .uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 6, comparator: 'SameValueZero' })
  .map((list) => list.toSorted((a, b) => a - b).map((bound) => (bound === 0 ? 0 : bound)))

const definitions: fc.Arbitrary<SeriesDefinition> = fc.record(
  {
    kind: fc.constantFrom('counter', 'gauge', 'functionTimer', 'timer', 'summary', 'longTaskTimer'),
    id: fc.record({
      name: text,
      tags: fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: false }).map((tags) =>
        Object.entries(tags)
          .map(([key, value]) => ({ key, value }))
          .sort((a, b) => (a.key < b.key ? -1 : 1)),
      ),
      description: fc.option(text, { nil: undefined }),
      baseUnit: fc.option(text, { nil: undefined }),
    }),
    created: fc.double({ noNaN: true, noDefaultInfinity: true }).map((seconds) => seconds + 0),
    bounds: bounds.filter((list) => list.length > 0),
    exponentialBuckets: fc.integer({ min: 1, max: 160 }),
    rule: fc.constantFrom('sum', 'max', 'min', 'last', 'each'),
  },
  { requiredKeys: ['kind', 'id', 'created'] },
)

type Step =
  | { readonly kind: 'define'; readonly definition: SeriesDefinition }
  | { readonly kind: 'remove'; readonly which: number }
  | { readonly kind: 'set'; readonly which: number; readonly value: number }
  | { readonly kind: 'commit' }
  | { readonly kind: 'churn' }

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('define' as const), definition: definitions }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), which: fc.nat(), value: fc.double() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('commit' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('churn' as const) }) },
)

describe('the file of a member', () => {
  it('says what was committed, for any series and values, to a reader from the beginning and a later one', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (list) => {
        const directory = newDirectory()
        const member = joinGroup(openTestGroup(directory))
        const reader = openTestGroup(directory)
        const model = new Map<number, { definition: SeriesDefinition; values: number[] }>()
        const define = (definition: SeriesDefinition) => {
          const index = member.define(definition) ?? -1
          expect(model.has(index)).toBe(false)
          model.set(index, { definition, values: Array.from({ length: cellCount(definition) }, () => 0) })
          return index
        }
        for (const step of [...list, { kind: 'commit' } as const]) {
          const [index, series] = 'which' in step ? ([...model][step.which % model.size] ?? []) : []
          if (step.kind === 'define') define(step.definition)
          if (step.kind === 'churn') {
            for (const each of Array.from({ length: 300 }, () => define(counter('short-lived')))) {
              member.remove(each)
              model.delete(each)
            }
          }
          if (step.kind === 'remove' && index !== undefined) {
            member.remove(index)
            model.delete(index)
          }
          if (step.kind === 'set' && index !== undefined && series !== undefined) {
            series.values.fill(step.value)
            member.cells.fill(step.value, member.placeOf(index), member.placeOf(index) + series.values.length)
          }
          if (step.kind === 'commit') {
            member.commit(accepting)
            expect(seriesOf(member.image())).toEqual(model)
            for (const group of [reader, openTestGroup(directory)]) {
              const { members, refused } = group.read()
              expect(refused).toEqual([])
              expect(members.map(({ image }) => seriesOf(image))).toEqual([model])
              expect(members[0]?.image.generation).toBe(member.image().generation)
            }
          }
        }
      }),
      { numRuns: 60, seed: 18 },
    )
  }, 120_000)

  it('is written and read in a time that grows with the number of series, not faster', () => {
    const durations = [2000, 16_000].map((count) => {
      const rounds = Array.from({ length: 4 }, () => {
        const directory = newDirectory()
        const member = joinGroup(openTestGroup(directory))
        return cpuTime(() => {
          for (let index = 0; index < count; index++) {
            member.define({ ...counter(`c${index}`), kind: 'timer', bounds: [1, 2, 3] })
            if (index % 1000 === 0) member.commit(accepting)
          }
          for (let index = 0; index < count; index += 2) member.remove(index)
          member.commit(accepting)
          expect(openTestGroup(directory).read().refused).toEqual([])
        })
      })
      return Math.min(...rounds)
    })
    const [few = 0, many = 0] = durations
    // Linear work takes 8 times as long, quadratic work 64 times.
    expect(many / few).toBeLessThan(24)
  }, 120_000)

  it('keeps an image as it was when the member goes on', () => {
    const directory = newDirectory()
    const member = joinGroup(openTestGroup(directory))
    const reader = openTestGroup(directory)
    const images: MemberImage[] = []
    for (let value = 1; value <= 6; value++) {
      const index = member.define(counter(`c${value}`)) ?? -1
      member.cells[member.placeOf(index)] = value
      member.commit(accepting)
      images.push(member.image(), ...reader.read().members.map(({ image }) => image))
    }
    const expected = [1, 2, 3, 4, 5, 6].map((count) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at + 1}`, [at + 1]])),
    )
    expect(images.map(valuesOf)).toEqual(expected.flatMap((each) => [each, each]))
  })

  it('has the first 1,024 exemplars whose identifiers are valid', () => {
    const directory = newDirectory()
    const member = joinGroup(openTestGroup(directory))
    member.define(counter('a'))
    const exemplar = (n: number): MemberExemplar => ({
      series: 0,
      bucket: n,
      exemplar: { value: n / 3, traceId: `${n}`.padStart(32, '0'), spanId: 'b'.repeat(16), timestamp: 1e9 + n / 7 },
    })
    const all = Array.from({ length: 2000 }, (_, n) => exemplar(n))
    member.exemplars = [...all.slice(0, 3), { ...exemplar(9), exemplar: { ...exemplar(9).exemplar, traceId: 'X' } }]
    member.commit(accepting)
    expect(openTestGroup(directory).read().members[0]?.image.exemplars).toEqual(all.slice(0, 3))
    member.exemplars = all
    member.commit(accepting)
    expect(openTestGroup(directory).read().members[0]?.image.exemplars).toEqual(all.slice(0, 1024))
    expect(member.image().exemplars).toEqual(all.slice(0, 1024))
  })

  it.each<[string, SeriesDefinition]>([
    ['a long name', counter('n'.repeat(65_537))],
    ['a long tag', counter('n', [{ key: 'k', value: 'v'.repeat(65_537) }])],
    [
      'tags that are not sorted',
      counter('n', [
        { key: 'b', value: '' },
        { key: 'a', value: '' },
      ]),
    ],
    ['too many cells', { ...counter('n'), kind: 'timer', exponentialBuckets: 65_536 }],
    ['bounds that do not ascend', { ...counter('n'), kind: 'timer', bounds: [1, 1] }],
    ['a creation that is no time', { ...counter('n'), created: Number.NaN }],
  ])('has no series with %s', (_, definition) => {
    const directory = newDirectory()
    const member = joinGroup(openTestGroup(directory))
    expect(member.define(definition)).toBeUndefined()
    member.cells[member.placeOf(member.define(counter('valid')) ?? -1)] = 1
    member.commit(accepting)
    expect(
      openTestGroup(directory)
        .read()
        .members.map(({ image }) => valuesOf(image)),
    ).toEqual([{ valid: [1] }])
  })

  it('shows a heartbeat, a state, and the end', () => {
    const directory = newDirectory()
    const clock = createManualClock()
    const member = joinGroup(openTestGroup(directory, { clock }))
    const reader = openTestGroup(directory, { clock })
    const shown = () =>
      reader
        .read()
        .members.map(({ age, isAlive, isProcessAlive, state }) => ({ age, isAlive, isProcessAlive, ...state }))
    const alive = { isAlive: true, isProcessAlive: true, ...accepting }
    clock.advance(800)
    member.heartbeat()
    expect(shown()).toEqual([{ age: 0.8, ...alive }])
    clock.advance(100)
    member.heartbeat()
    expect(shown()).toEqual([{ age: 0, ...alive }])
    clock.advance(2500)
    member.commit(accepting)
    expect(shown()).toEqual([{ age: 2.5, ...alive }])
    member.commit({ ...accepting, readiness: 'REFUSING_TRAFFIC', liveness: 'BROKEN' })
    expect(shown()).toEqual([{ age: 0, ...alive, readiness: 'REFUSING_TRAFFIC', liveness: 'BROKEN' }])
    member.leave(accepting)
    member.commit(accepting)
    expect(shown()).toEqual([{ age: 0, ...alive, isAlive: false, isFinal: true }])
  })
})

function seriesOf({ definitions, places, cells }: MemberImage) {
  return new Map(
    definitions.flatMap((definition, index) => {
      const place = places[index] ?? -1
      if (definition === undefined) return []
      return [[index, { definition, values: Array.from(cells.subarray(place, place + cellCount(definition))) }]]
    }),
  )
}
