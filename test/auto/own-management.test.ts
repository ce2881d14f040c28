import { describe, expect, it } from 'vitest'
import { applicationPort, writeApplication } from '../support/auto-application.ts'

/** An application that serves its own management beside `hello`. */
const managed = (create: string) => `
import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
let handle = (req, res, next) => next()
const server = createServer((req, res) => handle(req, res, () => res.end('hello')))
${create}
`
const create = 'handle = manage(createManagement())'
const listen = "server.listen(0, '127.0.0.1', () => console.log('port', server.address().port))"

describe('beside a management of the application', () => {
  it('that exists, upkeep/auto does nothing', async () => {
    const application = await writeApplication({ 'app.mjs': managed(`${create}\n${listen}`) })
    const child = application.start()
    const port = await applicationPort(child)
    await child.err.line(/does nothing, because the application has a management of its own/)
    expect((await fetch(`http://127.0.0.1:${port}/management/health`)).status).toBe(200)
    await expect(application.get('/livez')).rejects.toThrow()
  })

  it('that is created later, upkeep/auto ends its own', async () => {
    const application = await writeApplication({
      'app.mjs': managed(`${listen}\nprocess.stdin.once('data', () => { ${create}; console.log('created') })`),
    })
    const child = application.start({ env: { UPKEEP_TOKEN: 's3cret' } })
    const port = await applicationPort(child)
    await child.err.line(/health at/)
    child.writeInput('create')
    await child.err.line(/stops, because the application has a management of its own/)
    await child.out.line(/created/)
    expect((await fetch(`http://127.0.0.1:${port}/management/health`)).status).toBe(200)
    await expect(application.get('/livez')).rejects.toThrow()
  })
})
