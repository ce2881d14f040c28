import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { frameworks } from '../../scripts/example.mjs'
import { built } from '../support/built.ts'
import { describeService } from './describe-service.ts'

const names = frameworks(resolve(import.meta.dirname, '../..'))

it('there is a service for each adapter of a server', () => {
  expect(names).toEqual(['express', 'fastify', 'hono', 'koa', 'node'])
})

for (const name of names) describeService(name, `${name}.ts`, () => built(`build/examples/services/${name}.js`))
