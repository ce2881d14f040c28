import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { frameworksWithPackages, prepareService } from '../../../scripts/example.mjs'
import { describeService } from '../../examples/describe-service.ts'

const root = resolve(import.meta.dirname, '../../..')
const names = frameworksWithPackages(root)

it('there is a service for each framework with packages of its own', () => {
  expect(names).toEqual(['nest'])
})

describe.each(names)('with the packages of %s', (name) => {
  let file: string
  beforeAll(async () => {
    file = await prepareService(root, name)
  }, 300_000)

  describeService(name, `${name}/service.ts`, () => file)
})
