import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../support/child.ts'
import { freePort } from '../../support/free-port.ts'
import { createConsumer } from '../../support/package/consumer.ts'
import { unpackPackage } from '../../support/package/packed.ts'
import { doctor, type Examined, write } from './run-doctor.ts'

const packed = unpackPackage()
afterAll(packed.remove)
const folder = createConsumer(packed, ['express', 'koa', '@koa/router'])

const setUp = `
import express from 'express'
import { createManagement } from 'upkeep'
import { manage, observe } from 'upkeep/express'
import { listen } from 'upkeep/node'
const port = Number(process.env.PORT)
const management = createManagement({ expose: ['health', 'prometheus'] })
const app = express()
`
const routes = `
app.use(observe(management))
app.get('/orders', (req, res) => res.json([]))
`

/** Applications without a mistake, and the options to check them with. */
const sound: Readonly<Record<string, readonly [source: string, ...words: string[]]>> = {
  'that require TLS': [
    `${setUp}${routes}
    import https from 'node:https'
    import { readFileSync } from 'node:fs'
    const certificate = { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }
    https.createServer(certificate, app).listen(port, '127.0.0.1')`,
    ...['--route', '/orders'],
  ],
  'that listen long after their management': [
    `${setUp}${routes}
    await listen(management, { port: 0 })
    setTimeout(() => app.listen(port, '0.0.0.0'), 1000)`,
  ],
  'that open a server to find a free port': [
    `${setUp}${routes}
    app.use(manage(management))
    import { createServer } from 'node:net'
    const finder = createServer().listen(0, () => {
      const { port } = finder.address()
      finder.close(() => setTimeout(() => app.listen(port, '127.0.0.1'), 500))
    })`,
  ],
  'that listen with something other than HTTP, too': [
    `${setUp}${routes}
    import { createServer } from 'node:net'
    createServer((socket) => socket.on('error', () => {}).end('220 mail\\r\\n')).listen(0, '127.0.0.1')
    app.use(manage(management))
    app.listen(port, '127.0.0.1')`,
  ],
  'whose endpoints the application guards': [
    `${setUp}${routes}
    app.use('/management', (req, res) => void res.sendStatus(401))
    app.use(manage(management))
    app.listen(port, '0.0.0.0')`,
  ],
  'that print much': [
    `${setUp}${routes}
    app.listen(port, '127.0.0.1', () => {
      for (let line = 0; line < 20_000; line += 1) console.log('x'.repeat(100))
    })`,
  ],
  'in CommonJS': [
    `const express = require('express')
    const { createManagement } = require('upkeep')
    const { observe } = require('upkeep/express')
    const app = express()
    app.use(observe(createManagement()))
    app.listen(Number(process.env.PORT), '127.0.0.1')`,
  ],
}

/** Uses observe where requests to other addresses do not come. */
const routers = {
  'router.mjs': `${setUp}
    const api = express.Router()
    api.use(observe(management))
    api.get('/orders', (req, res) => res.json([]))
    app.use(manage(management))
    app.use('/api', api)
    app.listen(port, '127.0.0.1')`,
  'koa-router.mjs': `
    import Router from '@koa/router'
    import Koa from 'koa'
    import { createManagement } from 'upkeep'
    import { manage, observe } from 'upkeep/koa'
    const management = createManagement()
    const router = new Router({ prefix: '/api' })
    router.use(observe(management))
    router.get('/orders', (context) => { context.body = [] })
    new Koa().use(manage(management)).use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1')`,
}

const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.${name === 'in CommonJS' ? 'cjs' : 'mjs'}`

beforeAll(() => {
  write(folder, { 'package.json': '{"private":true,"dependencies":{"upkeep":"*","express":"5"}}', ...routers })
  write(folder, Object.fromEntries(Object.entries(sound).map(([name, [source]]) => [fileOf(name), source])))
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'cert.pem']
  execFileSync('openssl', [...request, '-subj', '/CN=localhost'], { cwd: folder, stdio: 'ignore' })
})

const findings = ({ outcomes }: Examined) => outcomes.filter(({ kind }) => kind === 'finding')
const outcomeOf = ({ outcomes }: Examined, check: string) => outcomes.find((each) => each.check === check)

describe('upkeep doctor with a program', () => {
  it.each(Object.entries(sound))('finds no mistake in applications %s', async (name, [, ...words]) => {
    const examined = await doctor(folder, [
      fileOf(name),
      ...words,
      '--public',
      name.includes('guards') ? '' : 'prometheus',
    ])
    expect([examined.error, findings(examined).filter(({ check }) => check !== 'address')]).toEqual(['', []])
    expect(outcomeOf(examined, 'requests')).toEqual({ check: 'requests', kind: 'ok' })
  })

  it.each(Object.keys(routers))('asks for a route of the router that observes its requests: %s', async (file) => {
    const without = await doctor(folder, [file])
    expect(outcomeOf(without, 'requests')?.reason).toMatch(/observe is used by a router: pass --route/)
    const { found, outcomes } = await doctor(folder, [file, '--route', '/api/orders'])
    expect(found('requests')).toEqual([])
    expect(outcomes).toContainEqual({ check: 'order', kind: 'ok' })
  })

  it('finds a management that listens on loopback in a container, beside an application that does not', async () => {
    const { found } = await doctor(folder, [fileOf('that listen long after their management'), '--container'])
    expect(found('address')).toEqual([
      expect.stringMatching(/\nawait listen\(management, \{ port: \d+, host: '0\.0\.0\.0'/),
    ])
    // Its endpoints are not readable through the port of the application.
    expect(found('access')).toEqual([])
  })

  it('does not request a route that does not exist', async () => {
    const { outcomes } = await doctor(folder, ['in-CommonJS.cjs', '--route', '/orders'])
    expect(outcomes).toContainEqual({ check: 'requests', kind: 'ok' })
  })

  it('finds the heap to fit if Node derives it from the container', async () => {
    const { outcomes } = await doctor(folder, ['in-CommonJS.cjs', '--memory', '64Mi'])
    expect(outcomes).toContainEqual({ check: 'heap', kind: 'ok' })
  })

  it('exits with 2 if the event loop of the program is blocked', async () => {
    write(folder, { 'blocked.mjs': "import http from 'node:http'\nhttp.createServer().listen(0, () => { for (;;); })" })
    const { code, error } = await doctor(folder, ['blocked.mjs', '--timeout', '1s'])
    expect([code, error]).toEqual([
      2,
      expect.stringMatching(/blocked\.mjs: it does not reply: its event loop is blocked/),
    ])
  })
})

describe.skipIf(process.platform === 'win32')('the processes that a program has started', () => {
  const program = `
    import { spawn } from 'node:child_process'
    import http from 'node:http'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    process.on('SIGTERM', () => {})
    http.createServer((req, res) => res.end()).listen(Number(process.env.PORT), '127.0.0.1')
    import { writeFileSync } from 'node:fs'
    writeFileSync(process.env.PIDS, process.pid + ' ' + child.pid)
  `
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  it('end with the command', async () => {
    write(folder, { 'parent.mjs': program, pids: '' })
    await doctor(folder, ['parent.mjs'], { PIDS: 'pids' })
    expect(pids()).toHaveLength(2)
    await expect.poll(() => pids().some(isAlive)).toBe(false)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('end if the command is ended by %s', async (signal) => {
    write(folder, { 'parent.mjs': program, pids: '' })
    const command = join(folder, 'node_modules/upkeep/dist/cli.cjs')
    const env = { ...process.env, PIDS: 'pids', PORT: String(await freePort()) }
    const child = startChild(process.execPath, [command, 'doctor', 'parent.mjs'], { cwd: folder, env })
    onTestFinished(() => child.kill())
    await expect.poll(pids).toHaveLength(2)
    child.process.kill(signal)
    expect(await child.ended).toBe(signal === 'SIGTERM' ? 143 : 130)
    await expect.poll(() => pids().some(isAlive)).toBe(false)
  })

  function pids(): readonly number[] {
    return readFileSync(join(folder, 'pids'), 'utf8').split(' ').filter(Boolean).map(Number)
  }
})
