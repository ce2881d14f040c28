import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../support/package/consumer.ts'
import { execute, unpackPackage } from '../support/package/packed.ts'

/**
 * Node gives `require` the ES modules too; the flag makes it take the CommonJS files, as Jest and older bundlers do.
 */
const flagsFor = (file: string) => (file.endsWith('.cjs') ? ['--no-experimental-require-module'] : [])

const packed = unpackPackage()
afterAll(packed.remove)

const core = "const management = createManagement({ application: { name: 'orders' } })"
const express = `${core}
const app = express()
app.use(manage(management))
app.get('/orders', () => { throw new HttpError(409, 'Sold out.') })
app.use(handleErrors())
const server = app.listen(0, '127.0.0.1')
`
const koa = `${core}
const app = new Koa()
app.use(handleErrors())
app.use(manage(management))
app.use((context) => { if (context.path === '/orders') throw new HttpError(409, 'Sold out.') })
const server = app.listen(0, '127.0.0.1')
`
const fastify = `${core}
const app = Fastify()
app.setErrorHandler(handleErrors())
app.register(manage(management))
app.get('/orders', async () => { throw new HttpError(409, 'Sold out.') })
app.setNotFoundHandler((_request, reply) => reply.code(404).send())
const { server } = app
app.listen({ port: 0, host: '127.0.0.1' })
`
const hono = `${core}
const app = new Hono().onError(handleErrors())
app.use(manage(management))
app.get('/orders', () => { throw new HttpError(409, 'Sold out.') })
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
`
const fetched = `${core}
const managed = manage(management)
const handle = handleErrors((request) => managed(request) ?? answer(request))
function answer({ url }) {
  if (url.endsWith('/orders')) throw new HttpError(409, 'Sold out.')
  return new Response('nothing', { status: 404 })
}
void askAll((path) => handle(new Request('http://127.0.0.1' + path)))
`
const overSocket = `
server.on('listening', async () => {
  await askAll((path) => fetch('http://127.0.0.1:' + server.address().port + path))
  server.closeAllConnections()
  server.close()
})
`
const requestAll = `
async function askAll(ask) {
  const answers = []
  for (const path of ['/management/health', '/orders', '/elsewhere']) {
    const response = await ask(path)
    const type = response.headers.get('content-type')
    answers.push({ path, status: response.status, body: type?.includes('json') ? await response.json() : undefined })
  }
  console.log(JSON.stringify(answers))
}
`

interface Beside {
  readonly framework: string
  /** The others that the program needs, and what it takes of them: package, names. */
  readonly others: Readonly<Record<string, string>>
  readonly program: string
}

const all: readonly Beside[] = [
  { framework: 'express', others: { express: 'express' }, program: express + overSocket },
  { framework: 'koa', others: { koa: 'Koa' }, program: koa + overSocket },
  { framework: 'fastify', others: { fastify: 'Fastify' }, program: fastify + overSocket },
  { framework: 'hono', others: { hono: '{ Hono }', '@hono/node-server': '{ serve }' }, program: hono + overSocket },
  // What a fetch server calls a handler with, Node has.
  { framework: 'fetch', others: {}, program: fetched },
]

const namesOf = ({ framework, others }: Beside) =>
  Object.entries({
    ...others,
    upkeep: '{ createManagement, HttpError }',
    [`upkeep/${framework}`]: '{ handleErrors, manage }',
  })
const forms = {
  'main.mjs': (beside: Beside) => namesOf(beside).map(([from, name]) => `import ${name} from '${from}'\n`),
  'main.cjs': (beside: Beside) => namesOf(beside).map(([from, name]) => `const ${name} = require('${from}')\n`),
}

describe.each(all)('the packed package with $framework', (beside) => {
  const folder = createConsumer(packed, Object.keys(beside.others))

  it.each(Object.entries(forms))('serves the management endpoints and error documents: %s', (file, head) => {
    writeFileSync(join(folder, file), head(beside).join('') + beside.program + requestAll)
    const answers = JSON.parse(execute(folder, process.execPath, ...flagsFor(file), file))
    expect(answers).toEqual([
      { path: '/management/health', status: 200, body: { status: 'UP', groups: ['liveness', 'readiness'] } },
      { path: '/orders', status: 409, body: expect.objectContaining({ status: 409, detail: 'Sold out.' }) },
      { path: '/elsewhere', status: 404 },
    ])
  })
})
