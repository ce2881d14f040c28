import { expect, it } from 'vitest'
import { completeSettings } from '../../src/auto/settings/auto-options.ts'
import { describeStart } from '../../src/auto/start-line.ts'

const application = { name: 'shop', version: '2.1.0', directory: undefined }
const observed = { found: ['express', 'mysql2'], unseen: ['amqplib', 'pg in a bundle', 'redis before 5.12'] }

it('the line at start says what is served where, what is exported, what is observed, and what cannot be', () => {
  const settings = completeSettings({ token: 's3cret', host: '::1', expose: ['info', 'prometheus'] }, new Set())
  expect(describeStart({ settings, application, observed, isExported: true })).toBe(
    'shop 2.1.0: health at http://[::1]:8690/management/health; probes at /livez and /readyz; ' +
      'with the token info, prometheus; exports by OTLP; observes express, mysql2; ' +
      'cannot observe amqplib, pg in a bundle, redis before 5.12',
  )
})

it('the line at start has the paths of the configuration, and says what a token would add', () => {
  const paths = { health: 'status', 'health/liveness': '/alive' }
  const settings = completeSettings({ management: { paths } }, new Set())
  expect(describeStart({ settings, application, observed: undefined, isExported: false })).toBe(
    'shop 2.1.0: health at http://0.0.0.0:8690/management/status; probes at /alive and /readyz; ' +
      'set UPKEEP_TOKEN to serve metrics and diagnostics as well',
  )
})
