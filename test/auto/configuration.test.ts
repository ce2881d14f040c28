import { describe, expect, it } from 'vitest'
import { httpProgram, upkeepLines, writeApplication } from '../support/auto-application.ts'

const authorized = { UPKEEP_TOKEN: 's3cret' }

describe('upkeep.config.js', () => {
  it('has indicators of health and other options of createManagement', async () => {
    const application = await writeApplication({
      'app.mjs': httpProgram,
      'package.json': '{ "name": "shop", "type": "module" }',
      'upkeep.config.js': `export default {
        management: {
          health: { indicators: { db: () => 'DOWN' } },
          metrics: { commonTags: { region: 'eu' } },
          paths: { prometheus: '/metrics' },
        },
      }`,
    })
    const child = application.start({
      env: authorized,
      cwd: '/',
      flags: ['--import', `${application.folder}/node_modules/upkeep/dist/auto.js`],
    })
    await child.err.line(/health at/)
    expect((await application.get('/management/health')).text).toBe(
      '{"status":"DOWN","groups":["liveness","readiness"]}',
    )
    expect(JSON.parse((await application.get('/management/health', 's3cret')).text).components.db.status).toBe('DOWN')
    expect((await application.get('/livez')).status).toBe(200)
    expect((await application.get('/metrics')).status).toBe(401)
    expect((await application.get('/metrics', 's3cret')).text).toContain('region="eu"')
  })

  it('with invalid options of createManagement is reported, and the management starts without them', async () => {
    const application = await writeApplication({
      'app.mjs': httpProgram,
      'upkeep.config.json': '{ "management": { "basePaht": "/actuator" } }',
    })
    const child = application.start({ env: authorized })
    await child.err.line(/health at/)
    expect(upkeepLines(child)[0]).toContain('unknown option "basePaht"; did you mean "basePath"?')
    expect((await application.get('/management/info', 's3cret')).status).toBe(200)
  })

  it('with invalid options beside those that limit access leaves health alone', async () => {
    const application = await writeApplication({
      'app.mjs': httpProgram,
      'upkeep.config.json': '{ "management": { "expose": ["health", "info"], "basePaht": "/actuator" } }',
    })
    const child = application.start({ env: authorized })
    expect(await child.err.line(/health at/)).toMatch(/probes at \/livez and \/readyz$/)
    expect((await application.get('/management/env', 's3cret')).status).toBe(404)
  })

  it('cannot open what requires authorization without a token', async () => {
    const application = await writeApplication({
      'app.mjs': httpProgram,
      'upkeep.config.json': '{ "management": { "expose": ["health", "env"] } }',
    })
    const child = application.start()
    await child.err.line(/health at/)
    expect(upkeepLines(child)[0]).toContain('the endpoint "env" requires the option "authorize"')
    expect((await application.get('/management/env')).status).toBe(404)
  })

  it('with an invalid host serves nothing', async () => {
    const application = await writeApplication({ 'app.mjs': httpProgram })
    const child = application.start({ env: { UPKEEP_HOST: 'a b' } })
    await child.out.line(/port/)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
    expect(upkeepLines(child)).toEqual([expect.stringContaining('UPKEEP_HOST: expected an IP address')])
  })
})
