import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../support/package/consumer.ts'
import { execute, packPackage } from '../support/package/packed.ts'

const packed = packPackage()
afterAll(packed.remove)

const core = "const management = createManagement({ application: { name: 'orders' } })"
const express = `${core}
const app = express()
app.use(manage(management))
app.get('/orders', () => { throw new HttpError(409, 'Sold out.') })
app.use(answerErrors())
const server = app.listen(0, '127.0.0.1')
`
const koa = `${core}
const app = new Koa()
app.use(answerErrors())
app.use(manage(management))
app.use((context) => { if (context.path === '/orders') throw new HttpError(409, 'Sold out.') })
const server = app.listen(0, '127.0.0.1')
`
const ask = `
server.on('listening', async () => {
  const answers = []
  for (const path of ['/management/health', '/orders', '/elsewhere']) {
    const response = await fetch('http://127.0.0.1:' + server.address().port + path)
    const type = response.headers.get('content-type')
    answers.push({ path, status: response.status, body: type?.includes('json') ? await response.json() : undefined })
  }
  server.closeAllConnections()
  server.close()
  console.log(JSON.stringify(answers))
})
`
const imports = (framework: string, name: string) => `import ${name} from '${framework}'
import { createManagement, HttpError } from 'upkeep'
import { answerErrors, manage } from 'upkeep/${framework}'
`
const requires = (framework: string, name: string) => `const ${name} = require('${framework}')
const { createManagement, HttpError } = require('upkeep')
const { answerErrors, manage } = require('upkeep/${framework}')
`

describe('the packed package beside a framework', () => {
  it.each([
    ['express', 'main.mjs', imports('express', 'express') + express],
    ['express', 'main.cjs', requires('express', 'express') + express],
    ['koa', 'main.mjs', imports('koa', 'Koa') + koa],
    ['koa', 'main.cjs', requires('koa', 'Koa') + koa],
  ])('serves the management endpoints and error documents: %s, %s', (framework, file, program) => {
    const folder = createConsumer(packed, [framework])
    writeFileSync(join(folder, file), program + ask)
    const answers = JSON.parse(execute(folder, process.execPath, file))
    expect(answers).toEqual([
      { path: '/management/health', status: 200, body: { status: 'UP', groups: ['liveness', 'readiness'] } },
      { path: '/orders', status: 409, body: expect.objectContaining({ status: 409, detail: 'Sold out.' }) },
      { path: '/elsewhere', status: 404 },
    ])
  })
})
