import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../../support/package/consumer.ts'
import { unpackPackage } from '../../support/package/packed.ts'
import { doctor, write } from './run-doctor.ts'

const packed = unpackPackage()
afterAll(packed.remove)
const folder = createConsumer(packed, ['express', 'koa', '@koa/router', 'pg'])
const clean = createConsumer(packed, ['express'])

const allChecks = ['access', 'address', 'copies', 'versions', 'requests', 'order'].concat(
  ...['readiness', 'liveness', 'drain', 'heap', 'clock'],
)

/** With everything that can be found in a program. */
const faulty = `
import express from 'express'
import { createManagement } from 'upkeep'
import { manage, observe } from 'upkeep/express'
import { tcp } from 'upkeep/health'
import { shutdownGracefully } from 'upkeep/node'

const management = createManagement({
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: {
    indicators: { store: tcp({ host: '127.0.0.1', port: 9 }), ordersDb: () => 'UP', ping: () => 'UP' },
    groups: { liveness: { include: ['livenessState', 'store', 'ordersDb', 'ping'] } },
  },
})
const app = express()
app.get('/orders', (req, res) => res.json([]))
app.use(observe(management))
app.use(manage(management))
const server = app.listen(Number(process.env.PORT), '0.0.0.0')
shutdownGracefully(server, management, { delay: '20s' })
`

const sound = `
import express from 'express'
import { bearerToken, createManagement } from 'upkeep'
import { manage, observe } from 'upkeep/express'
import { shutdownGracefully } from 'upkeep/node'

const management = createManagement({
  expose: ['health', 'metrics', 'prometheus', 'env'],
  access: { '*': 'authorized', health: 'public' },
  authorize: bearerToken('secret'),
})
const app = express()
app.use(observe(management))
app.use(manage(management))
app.get('/orders', (req, res) => res.json([]))
const server = app.listen(Number(process.env.PORT), '0.0.0.0')
shutdownGracefully(server, management, { delay: '1s' })
`

const koa = `
import Router from '@koa/router'
import Koa from 'koa'
import { createManagement } from 'upkeep'
import { manage, observe } from 'upkeep/koa'

const management = createManagement()
const app = new Koa()
const router = new Router().get('/orders', (context) => { context.body = [] })
app.use(router.routes())
app.use(observe(management)).use(manage(management))
app.listen(Number(process.env.PORT), '127.0.0.1')
`

const unobserved = `
import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'

const managed = manage(createManagement())
createServer((req, res) => managed(req, res, () => res.end('[]'))).listen(Number(process.env.PORT), '127.0.0.1')
`

beforeAll(() => {
  write(folder, {
    'package.json': JSON.stringify({
      private: true,
      scripts: {
        start: 'node --max-old-space-size=2048 faulty.mjs',
        build: 'node --max-old-space-size=8192 build.mjs',
      },
      dependencies: { upkeep: '*', express: '5', pg: '8', fastify: '4', other: '1' },
    }),
    'faulty.mjs': faulty,
    'koa.mjs': koa,
    'unobserved.mjs': unobserved,
    'crash.mjs': "throw new Error('DATABASE_URL is not set')",
    'node_modules/fastify/package.json': '{"name":"fastify","version":"4.29.1"}',
    'node_modules/other/package.json':
      '{"name":"other","version":"1.0.0","dependencies":{"upkeep":"0.0.9","@opentelemetry/api":"1.4.0"}}',
    'node_modules/other/node_modules/upkeep/package.json': '{"name":"upkeep","version":"0.0.9"}',
    'node_modules/@opentelemetry/api/package.json': '{"name":"@opentelemetry/api","version":"1.9.1"}',
    'node_modules/other/node_modules/@opentelemetry/api/package.json':
      '{"name":"@opentelemetry/api","version":"1.4.0"}',
  })
  write(clean, {
    'package.json': '{"private":true,"dependencies":{"upkeep":"*","express":"5"}}',
    'sound.mjs': sound,
    'plain.mjs': "import express from 'express'\nexpress().listen(Number(process.env.PORT))",
  })
})

describe('upkeep doctor with a program', () => {
  it('finds each mistake of a program and its project, each with the line that mends it', async () => {
    const words = ['faulty.mjs', '--grace', '20s', '--memory', '64Mi']
    const { code, found, error } = await doctor(folder, words, { NODE_OPTIONS: '--max-old-space-size=512' })
    expect([code, error]).toEqual([1, ''])
    expect(found('access')).toEqual([
      expect.stringMatching(/can read info, metrics, prometheus\n.*'\*': 'authorized'.*authorize: bearerToken/),
    ])
    expect(found('order')).toEqual([expect.stringMatching(/GET \/orders\napp\.use\(observe\(management\)\)/)])
    expect(found('readiness')).toEqual([expect.stringMatching(/pg is installed\n.*readiness: \{ include: /)])
    expect(found('liveness')).toEqual([
      expect.stringMatching(/contains ordersDb, .*\n.*'ordersDb'.*remove it from liveness/),
      expect.stringMatching(/contains store, /),
    ])
    expect(found('drain')).toEqual([
      expect.stringMatching(/may take 30 s.*after 20 s\nterminationGracePeriodSeconds: 31/),
    ])
    expect(found('heap')).toEqual([
      expect.stringMatching(/grow to 2048 MiB in 64 MiB of memory.*\nNODE_OPTIONS=--max-old-space-size=48/),
      expect.stringMatching(/grow to 5\d\d MiB in 64 MiB of memory.*\nNODE_OPTIONS=--max-old-space-size=48/),
    ])
    expect(found('copies')).toEqual([
      expect.stringMatching(
        /2 copies of upkeep: .* in node_modules\/other\/node_modules\/upkeep\nnpm dedupe #.* overrides/,
      ),
      expect.stringMatching(/2 copies of @opentelemetry\/api: .*1\.4\.0 in node_modules\/other\//),
    ])
    expect(found('versions')).toEqual([expect.stringMatching(/fastify 4\.29\.1: .*\nnpm install 'fastify@\^5'/)])
  })

  it('finds nothing in a sound program, and exits with 0', async () => {
    const words = ['sound.mjs', '--grace', '30s', '--memory', '512Mi', '--container', '--route', '/orders']
    const { code, outcomes } = await doctor(clean, words)
    expect(outcomes.filter(({ kind }) => kind !== 'ok').map(({ check }) => check)).toEqual(['clock'])
    expect(outcomes.map(({ check }) => check)).toEqual(allChecks)
    expect(code).toBe(0)
  })

  it('finds a server that listens on loopback in a container, and a router of Koa before observe', async () => {
    const { found } = await doctor(folder, ['koa.mjs'], { KUBERNETES_SERVICE_HOST: '10.0.0.1' })
    expect(found('address')).toEqual([
      expect.stringMatching(/127\.0\.0\.1:\d+ only, .*\nserver\.listen\(\d+, '0\.0\.0\.0'\)/),
    ])
    expect(found('order')).toEqual([expect.stringMatching(/GET \/orders\n/)])
    // On a loopback address nobody else can read anything.
    expect(found('access')).toEqual([])
  })

  it('finds requests that are not observed, and lists what it could not check, with the reason', async () => {
    const { found, outcomes } = await doctor(folder, ['unobserved.mjs'])
    expect(found('requests')).toEqual([expect.stringMatching(/no http\.server\.requests\napp\.use\(observe/)])
    const unchecked = outcomes.filter(({ kind }) => kind === 'unchecked')
    // Whether there is a container around the tests, with a limit, depends on the machine.
    expect(unchecked.filter(({ check }) => !/address|heap/.test(check))).toEqual([
      { check: 'order', kind: 'unchecked', reason: 'no request is observed' },
      { check: 'drain', kind: 'unchecked', reason: 'shutdownGracefully was not called' },
      { check: 'clock', kind: 'unchecked', reason: expect.stringContaining('pass the URL of a running service') },
    ])
  })

  it('names the variable that has upkeep/auto measure requests, and finds nothing with it', async () => {
    const environment = { NODE_OPTIONS: '--import upkeep/auto', UPKEEP_PORT: '0', VITEST: undefined }
    const without = await doctor(clean, ['plain.mjs'], environment)
    expect(without.found('requests')).toEqual([expect.stringMatching(/\nUPKEEP_TOKEN=…/)])
    const { code, outcomes } = await doctor(clean, ['plain.mjs'], { ...environment, UPKEEP_TOKEN: 'secret' })
    expect(outcomes.find(({ check }) => check === 'requests')).toEqual({ check: 'requests', kind: 'ok' })
    expect(code).toBe(0)
  })

  it('starts a program with upkeep/auto if its project does, and names the place', async () => {
    const own = createConsumer(packed, ['express'])
    write(own, {
      'package.json': '{"private":true,"dependencies":{"upkeep":"*","express":"5"}}',
      'plain.mjs': "import express from 'express'\nexpress().listen(Number(process.env.PORT))",
    })
    const environment = { UPKEEP_PORT: '0', UPKEEP_TOKEN: 'secret', VITEST: undefined }
    const without = await doctor(own, ['plain.mjs'], environment)
    expect(without.outcomes.find(({ check }) => check === 'access')?.reason).toBe(
      'createManagement was not called in the process that was started; ' +
        'with upkeep/auto: NODE_OPTIONS="--import upkeep/auto" npx upkeep doctor plain.mjs',
    )
    write(own, { Dockerfile: 'FROM node\nCMD ["node", "--import", "upkeep/auto", "plain.mjs"]\n' })
    const { start, outcomes } = await doctor(own, ['plain.mjs'], environment)
    expect(start).toBe('Started with upkeep/auto, as in Dockerfile: --import upkeep/auto')
    const checked = outcomes.filter(({ kind }) => kind === 'ok').map(({ check }) => check)
    expect(checked).toEqual(expect.arrayContaining(['access', 'requests', 'readiness', 'liveness']))
  })

  it.each([
    [['crash.mjs'], /crash\.mjs ended with 1 before it listened:\n(?:.*\n)*.*DATABASE_URL is not set/],
    [['missing.mjs'], /or a file, and there is no file /],
    [['ftp://a'], /expected a URL such as/],
    [['a.mjs', 'b.mjs'], /expected one URL or file, received b\.mjs as well/],
    [['--grace', 'long'], /--grace: expected a duration such as 30s, received long/],
    [['--memory', 'big'], /--memory: expected a size such as 512Mi, received big/],
    [['--route', 'orders'], /--route: expected a path such as \/orders, received orders/],
    [['--colour'], /Unknown option '--colour'/],
  ])('exits with 2 for %j', async (words, message) => {
    const { code, outcomes, error } = await doctor(folder, words)
    expect([code, outcomes]).toEqual([2, []])
    expect(error).toMatch(message)
  })
})

describe('upkeep doctor without a program', () => {
  it('reads package.json and node_modules only', async () => {
    const { code, outcomes } = await doctor(clean, [])
    expect(code).toBe(0)
    expect(outcomes.filter(({ kind }) => kind === 'ok').map(({ check }) => check)).toEqual(['copies', 'versions'])
    expect(outcomes.map(({ check }) => check)).toEqual(allChecks)
  })

  it('finds a heap in a script that is larger than the memory of the container', async () => {
    const { code, found } = await doctor(folder, ['--memory', '512Mi'])
    expect([code, found('heap')]).toEqual([1, [expect.stringMatching(/grow to 2048 MiB in 512 MiB/)]])
  })
})
