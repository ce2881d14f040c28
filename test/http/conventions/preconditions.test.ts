import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evaluatePreconditions, isConditional, type Validators } from '../../../src/http/conventions/preconditions.ts'
import { parseEntityTag } from '../../../src/http/fields/entity-tag.ts'

interface Step {
  readonly step?: number
  readonly when?: string
}

const { steps }: { steps: readonly Step[] } = JSON.parse(
  readFileSync(new URL('../../vectors/preconditions.json', import.meta.url), 'utf8'),
)

const earlier = 'Sun, 06 Nov 1994 08:49:36 GMT'
const same = 'Sun, 06 Nov 1994 08:49:37 GMT'
const later = 'Sun, 06 Nov 1994 08:49:38 GMT'

/** Changed again within the second of the date `same`. */
const lastModified = Date.parse(same) + 123

const current = (...tags: readonly string[]): Validators => ({
  entityTags: tags.flatMap((tag) => parseEntityTag(tag) ?? []),
  lastModified,
})
const undated: Validators = { ...current('"a"'), lastModified: undefined }
const untagged: Validators = current()
const nothing = undefined

const [reads, changes] = [
  ['GET', 'HEAD'],
  ['PUT', 'POST', 'PATCH', 'DELETE'],
]
const all = [...reads, ...changes]

type Case = readonly [methods: readonly string[], headers: Record<string, string>, of: Validators | undefined, string]

const casesOfStep: Readonly<Record<number, readonly Case[]>> = {
  1: [
    [all, { 'if-match': '"a"' }, current('"a"'), 'proceed'],
    [all, { 'if-match': '"b", "a"' }, current('"a"'), 'proceed'],
    [all, { 'if-match': '"a"' }, current('"b"', '"a"'), 'proceed'],
    [all, { 'if-match': '*' }, current('"a"'), 'proceed'],
    [all, { 'if-match': '*' }, untagged, 'proceed'],
    [all, { 'if-match': '"b"' }, current('"a"'), 'failed'],
    [all, { 'if-match': 'W/"a"' }, current('"a"'), 'failed'],
    [all, { 'if-match': '"a"' }, current('W/"a"'), 'failed'],
    [all, { 'if-match': 'W/"a"' }, current('W/"a"'), 'failed'],
    [all, { 'if-match': '"a"' }, untagged, 'failed'],
    [all, { 'if-match': '"a"' }, nothing, 'failed'],
    [all, { 'if-match': '*' }, nothing, 'failed'],
    [all, { 'if-match': '' }, current('"a"'), 'failed'],
    [all, { 'if-match': 'a' }, current('"a"'), 'failed'],
    [all, { 'if-match': '"a"', 'if-unmodified-since': earlier }, current('"a"'), 'proceed'],
    [all, { 'if-match': '"b"', 'if-unmodified-since': later }, current('"a"'), 'failed'],
    [all, { 'if-match': '"b"', 'if-none-match': '"a"' }, current('"a"'), 'failed'],
    [reads, { 'if-match': '"a"', 'if-none-match': '"a"' }, current('"a"'), 'not-modified'],
  ],
  2: [
    [all, { 'if-unmodified-since': later }, current('"a"'), 'proceed'],
    [all, { 'if-unmodified-since': same }, current('"a"'), 'proceed'],
    [all, { 'if-unmodified-since': earlier }, current('"a"'), 'failed'],
    [all, { 'if-unmodified-since': 'Sunday, 06-Nov-94 08:49:36 GMT' }, current('"a"'), 'failed'],
    [all, { 'if-unmodified-since': 'Sun Nov  6 08:49:36 1994' }, current('"a"'), 'failed'],
    [all, { 'if-unmodified-since': 'yesterday' }, current('"a"'), 'proceed'],
    [all, { 'if-unmodified-since': `${earlier}, ${earlier}` }, current('"a"'), 'proceed'],
    [all, { 'if-unmodified-since': earlier }, undated, 'proceed'],
    [all, { 'if-unmodified-since': earlier }, nothing, 'proceed'],
    [all, { 'if-unmodified-since': earlier, 'if-none-match': '"a"' }, current('"a"'), 'failed'],
    [reads, { 'if-unmodified-since': later, 'if-none-match': '"a"' }, current('"a"'), 'not-modified'],
  ],
  3: [
    [reads, { 'if-none-match': '"a"' }, current('"a"'), 'not-modified'],
    [reads, { 'if-none-match': 'W/"a"' }, current('"a"'), 'not-modified'],
    [reads, { 'if-none-match': '"a"' }, current('W/"a"'), 'not-modified'],
    [reads, { 'if-none-match': '"b", W/"a"' }, current('"a"'), 'not-modified'],
    [reads, { 'if-none-match': '*' }, current('"a"'), 'not-modified'],
    [reads, { 'if-none-match': '*' }, untagged, 'not-modified'],
    [changes, { 'if-none-match': '"a"' }, current('"a"'), 'failed'],
    [changes, { 'if-none-match': 'W/"a"' }, current('"a"'), 'failed'],
    [changes, { 'if-none-match': '*' }, current('"a"'), 'failed'],
    [all, { 'if-none-match': '"b"' }, current('"a"'), 'proceed'],
    [all, { 'if-none-match': '"a"' }, untagged, 'proceed'],
    [all, { 'if-none-match': '"a"' }, nothing, 'proceed'],
    [all, { 'if-none-match': '*' }, nothing, 'proceed'],
    [all, { 'if-none-match': '' }, current('"a"'), 'proceed'],
    [all, { 'if-none-match': 'a' }, current('"a"'), 'proceed'],
  ],
  4: [
    [reads, { 'if-modified-since': later }, current('"a"'), 'not-modified'],
    [reads, { 'if-modified-since': same }, current('"a"'), 'not-modified'],
    [reads, { 'if-modified-since': earlier }, current('"a"'), 'proceed'],
    [reads, { 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, current('"a"'), 'not-modified'],
    [reads, { 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }, current('"a"'), 'not-modified'],
    [reads, { 'if-modified-since': 'tomorrow' }, current('"a"'), 'proceed'],
    [reads, { 'if-modified-since': later }, undated, 'proceed'],
    [reads, { 'if-modified-since': later }, nothing, 'proceed'],
    [changes, { 'if-modified-since': later }, current('"a"'), 'proceed'],
    [all, { 'if-modified-since': later, 'if-none-match': '"b"' }, current('"a"'), 'proceed'],
    [reads, { 'if-modified-since': earlier, 'if-none-match': '"a"' }, current('"a"'), 'not-modified'],
  ],
  // Ranges are not supported; a range and its condition are ignored, as RFC 9110 §14.2 permits.
  5: [
    [reads, { range: 'bytes=0-1', 'if-range': '"a"' }, current('"a"'), 'proceed'],
    [reads, { range: 'bytes=0-1', 'if-range': '"b"' }, current('"a"'), 'proceed'],
  ],
  6: [
    [all, {}, current('"a"'), 'proceed'],
    [all, {}, nothing, 'proceed'],
  ],
}

describe.each(steps.filter(({ step }) => step !== undefined))(
  'step $step of RFC 9110 §13.2.2 ($when)',
  ({ step = 0 }) => {
    const cases = casesOfStep[step] ?? []

    it('has cases', () => {
      expect(cases.length).toBeGreaterThan(0)
    })

    it.each(cases)('for %j with %j of %j: %s', (methods, headers, validators, outcome) => {
      for (const method of methods)
        expect([method, evaluatePreconditions(method, headers, validators)]).toEqual([method, outcome])
    })
  },
)

describe('evaluatePreconditions', () => {
  it('joins repeated fields', () => {
    expect(evaluatePreconditions('GET', { 'if-none-match': ['"b"', '"a"'] }, current('"a"'))).toBe('not-modified')
    expect(evaluatePreconditions('GET', { 'if-match': ['"b"', '"c"'] }, current('"a"'))).toBe('failed')
  })
})

describe('isConditional', () => {
  it.each(['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'])('is true for %s', (name) => {
    expect(isConditional({ [name]: '' })).toBe(true)
  })

  it('is false for a request without preconditions', () => {
    expect(isConditional({ accept: '*/*', range: 'bytes=0-1', 'if-range': '"a"' })).toBe(false)
  })
})
