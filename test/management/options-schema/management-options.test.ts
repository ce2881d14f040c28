import fc from 'fast-check'
import { expect, it } from 'vitest'
import { builtInIds } from '../../../src/management/endpoints/endpoint.ts'
import { managementOptions } from '../../../src/management/options-schema/management-options.ts'

const rules = managementOptions(builtInIds)
const schema = rules.schema()

const valid: Readonly<Record<string, unknown>> = {
  application: { name: 'orders' },
  basePath: '/admin',
  expose: ['health', 'caches', 'logfile'],
  info: { ssl: true },
  logFile: 'app.log',
  health: {},
  authorize: () => undefined,
}
const value = fc.oneof(fc.anything(), fc.constantFrom(...Object.values(valid)))
const options = fc.oneof(
  fc.record(Object.fromEntries(Object.entries(valid).map(([name, one]) => [name, fc.constant(one)])), {
    requiredKeys: [],
  }),
  fc.dictionary(fc.constantFrom(...Object.keys(valid), 'healht', 'toString'), value),
  fc.anything(),
)

it('options are valid if, and only if, the schema of all members has no issue', () => {
  const results = new Set<boolean>()
  fc.assert(
    fc.property(options, (given) => {
      const isMet = rules.isMetBy(given)
      results.add(isMet)
      expect(isMet).toBe(schema.safeParse(given).success)
    }),
    { examples: [[valid], [{ healht: 1 }]] },
  )
  expect(results).toEqual(new Set([true, false]))
})
