import { adapterConformance } from 'upkeep/contract'
import { describe, expect, it } from 'vitest'
import { type Framework, families, frameworks } from './frameworks/all.ts'

interface Place {
  readonly prefix: string
  readonly bodyParser: boolean
}

/** Opposite places differ in both. */
const places: readonly Place[] = [
  { prefix: '', bodyParser: false },
  { prefix: '', bodyParser: true },
  { prefix: '/ops', bodyParser: true },
  { prefix: '/ops', bodyParser: false },
]

const placesOf = ({ parses = true }: Framework) => places.filter(({ bodyParser }) => parses || !bodyParser)

/** Returns the cases at a place that the framework supports, each with its number among all cases. */
function casesOf({ start, unsupported = {} }: Framework, place: Place) {
  return adapterConformance({ start, ...place })
    .map((each, number) => ({ ...each, number }))
    .filter(({ needs }) => needs === undefined || unsupported[needs] === undefined)
}

const describePlace = (place: Place) => `below "${place.prefix}", with a preceding body parser: ${place.bodyParser}`

describe.each(families)('$first.name', ({ first, others }) => {
  describe.each(placesOf(first).map((place) => [describePlace(place), place] as const))('%s', (_, place) => {
    for (const { title, run } of casesOf(first, place)) it(title, run)
  })

  // The others share its code. Each runs every case once, and the cases of each are spread over all places.
  describe.each(others.map((other, shift) => [other.name, other, shift] as const))('%s', (_, other, shift) => {
    const possible = placesOf(other)
    describe.each(possible.map((place, at) => [describePlace(place), place, at] as const))('%s', (_, place, at) => {
      for (const { title, run, number } of casesOf(other, place))
        if ((number + shift) % possible.length === at) it(title, run)
    })
  })
})

const lacking = frameworks.flatMap(({ name, start, unsupported = {} }) =>
  Object.entries(unsupported).map(([ability, reason]) => [name, ability, reason, start] as const),
)

/** A case that passes is supported, and must be enabled. */
describe.each(lacking)('%s does not support %s: %s:', (_name, ability, _reason, start) => {
  for (const { title, needs, run } of adapterConformance({ start, patience: '1s' }))
    if (needs === ability) it(`the case fails: ${title}`, () => expect(run()).rejects.toThrow(/^expected/))
})
