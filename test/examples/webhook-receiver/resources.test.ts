import { createManagement } from 'upkeep'
import { checkNames, checkRoutes } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { authorizeOperators } from '../../../examples/webhook-receiver/authorize-operators.ts'
import { createReceiverResources } from '../../../examples/webhook-receiver/resources.ts'

const resources = createReceiverResources(async () => [], {
  authorize: authorizeOperators('a-token'),
  management: createManagement(),
  report: () => {},
  keyOverlapSeconds: 0,
  onChange: () => {},
})

describe("the receiver's resources", () => {
  it('conform to the rules of paths', () => {
    expect(resources.routes.length).toBeGreaterThan(5)
    expect(checkRoutes(resources.routes)).toEqual([])
  })

  it('conform to the rules of names, and have descriptions', () => {
    const { components, paths } = JSON.parse(JSON.stringify(resources.describe()))
    for (const name of ['hook-1', 'message-1']) expect([name, checkNames(components.schemas[name])]).toEqual([name, []])
    expect(Object.keys(paths)).toContain('/hooks/{hook}/rotate-key')
  })
})
