import { createManagement } from 'upkeep'
import { postgres, redis } from 'upkeep/health'
import { deny, histogram } from 'upkeep/metrics'
import { collection, createResources } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'

/** What a caller without types may pass. */
type Loose = (...args: readonly unknown[]) => unknown

describe('C18: a mistake in an option is refused at once, with what was expected', () => {
  it.each<readonly [string, unknown, readonly unknown[], RegExp]>([
    ['createResources', createResources, [{ resource: [] }], /unknown option "resource"; did you mean "resources"/],
    ['collection', collection, ['orders/{id}', { patch: 5 }], /collection\("orders\/\{id\}"\): unknown option "patch"/],
    ['histogram', histogram, ['x', { buckets: [1] }], /histogram: unknown option "buckets"; did you mean "slo"/],
    ['deny', deny, [5], /expected the start of a name or a function, received a number/],
    ['postgres', postgres, [undefined], /expected a Pool or Client of pg, .* received undefined/],
    ['postgres', postgres, [{}], /expected a Pool or Client of pg, .* received object without query, unsafe/],
    ['redis', redis, [{}], /expected a client of ioredis or node-redis, received object without ping/],
    [
      'createManagement',
      createManagement,
      [{ health: { showDetails: 'when-authorized' } }],
      /expected "never" or "always" without the option "authorize", such as bearerToken\(/,
    ],
  ])('%s', (_, called, args, message) => {
    expect(() => (called as Loose)(...args)).toThrow(message)
  })
})
