import { adapterConformance } from 'upkeep/contract'
import { describe, expect, it } from 'vitest'
import { frameworks } from './frameworks/all.ts'

for (const { name, start, unsupported = {}, parses = true } of frameworks) {
  describe(name, () => {
    describe.each(['', '/ops'])('below "%s"', (prefix) => {
      describe.each(parses ? [false, true] : [false])('with a preceding body parser: %s', (bodyParser) => {
        for (const { title, needs, run } of adapterConformance({ start, prefix, bodyParser }))
          if (needs === undefined || unsupported[needs] === undefined) it(title, run)
      })
    })
  })
}

const lacking = frameworks.flatMap(({ name, start, unsupported = {} }) =>
  Object.entries(unsupported).map(([ability, reason]) => [name, ability, reason, start] as const),
)

/** A case that passes is supported, and must be enabled. */
describe.each(lacking)('%s does not support %s: %s:', (_name, ability, _reason, start) => {
  for (const { title, needs, run } of adapterConformance({ start, patience: '1s' }))
    if (needs === ability) it(`the case fails: ${title}`, () => expect(run()).rejects.toThrow(/^expected/))
})
