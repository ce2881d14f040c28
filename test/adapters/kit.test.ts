import { describe, it } from 'vitest'
import { adapterConformance } from '../../src/contract.ts'
import { startExpress } from './conformance-express.ts'
import { startKoa } from './conformance-koa.ts'
import { startNode } from './conformance-node.ts'

const adapters = [
  ['Express 5', startExpress('Express 5')],
  ['Express 4', startExpress('Express 4')],
  ['Koa 3', startKoa('Koa 3')],
  ['Koa 2', startKoa('Koa 2')],
  ['node:http', startNode],
] as const

describe.each(adapters)('%s', (_name, start) => {
  describe.each([
    { prefix: '', parser: false },
    { prefix: '/ops', parser: true },
  ])('below "$prefix", with a body parser in front: $parser', ({ prefix, parser }) => {
    for (const { title, run } of adapterConformance({ start, prefix, bodyParser: parser })) it(title, run)
  })
})
