import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../support/child.ts'
import { readDocumented } from '../../support/documented.ts'
import { runDocumentedContract } from '../../support/documented-contract.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { execute, type PackedPackage, unpackPackage } from '../../support/package/packed.ts'

let packed: PackedPackage
let folder: string
beforeAll(() => {
  packed = unpackPackage()
  folder = packed.emptyFolder()
  cpSync(resolve(import.meta.dirname, 'project'), folder, { recursive: true })
  execute(folder, 'npm', 'install', '--ignore-scripts', '--prefer-offline', packed.tarball)
})
afterAll(() => packed?.remove())

describe('an application of Nest 11, set up as by "nest new"', () => {
  it('passes its Jest tests, which compile and load CommonJS', () => {
    const output = execute(folder, process.execPath, 'node_modules/jest/bin/jest.js', '--ci', '--json')
    expect(JSON.parse(output)).toMatchObject({ numPassedTests: 3, numFailedTests: 0 })
  })

  describe('compiled by tsc', () => {
    beforeAll(() => {
      mkdirSync(join(folder, 'src/documented'))
      for (const name of ['app.module.ts', 'main.ts', 'orders.service.ts', 'telemetry.service.ts']) {
        writeFileSync(join(folder, 'src/documented', name), readDocumented('start/nest.md', name))
      }
      execute(folder, process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.')
      expect(existsSync(join(folder, 'dist/main.js'))).toBe(true)
    })
    afterAll(() => rmSync(join(folder, 'dist'), { recursive: true, force: true }))

    describe.each(['express', 'fastify'])('on %s', (platform) => {
      it('is observed by route, runs its tasks, and finishes requests after SIGTERM', async () => {
        const { url, child, lines } = await start(platform)
        const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })

        const requests = await Promise.all(['7', '409', 'x', 'secret/door'].map((id) => get(`/api/v1/orders/${id}`)))
        expect(requests.map(({ status }) => status)).toEqual([200, 409, 400, 403])
        expect(await requests[1]?.json()).toMatchObject({ title: 'Conflict', detail: 'Sold out.' })
        expect(await (await get('/management/health/dog')).json()).toMatchObject({
          status: 'UP',
          details: { badboys: 0 },
        })
        const scrape = await (await get('/management/prometheus')).text()
        for (const [status, uri, exception] of [
          ['200', '/api/v1/orders/:id', 'none'],
          ['409', '/api/v1/orders/:id', 'ConflictException'],
          ['400', '/api/v1/orders/:id', 'BadRequestException'],
          ['403', '/api/v1/orders/secret/door', 'ForbiddenException'],
        ]) {
          const tags = [`exception="${exception}"`, `status="${status}"`, `uri="${uri}"`].join('.*')
          expect(scrape).toMatch(new RegExp(`http_server_requests_seconds_count{.*${tags}} 1`))
        }
        const tasks = await (await get('/management/scheduledtasks', { 'x-api-key': 'secret' })).json()
        const { cron, custom } = tasks as { readonly cron: unknown; readonly custom: unknown }
        expect(cron).toMatchObject([{ runnable: { target: 'JobsService.countStock' }, nextExecution: {} }])
        expect(custom).toMatchObject([{ lastExecution: { status: 'ERROR', exception: { message: 'no truck' } } }])

        const slow = get('/api/v1/orders/1000')
        await eventually(async () => expect(await (await get('/management/prometheus')).text()).toMatch(active))
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        const response = await slow
        expect([response.status, await response.json()]).toEqual([200, { id: 1000, readiness: 'REFUSING_TRAFFIC' }])
        expect(await exited).toEqual([null, 'SIGTERM'])
        expect(lines).toContain('destroyed while REFUSING_TRAFFIC')
      })
    })

    it('passes the contract with the quick start of its page, by the command of README', async () => {
      const port = await freePort()
      const child = startChild(process.execPath, ['dist/documented/main.js'], {
        cwd: folder,
        env: { ...process.env, PORT: String(port) },
      })
      onTestFinished(() => child.kill())
      await child.out.line(/Nest application successfully started/)
      const { code, out } = await runDocumentedContract('README.md', 3000, `http://127.0.0.1:${port}`)
      expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
      expect(code).toBe(0)
    })

    it('exits immediately by SIGTERM without shutdown hooks', async () => {
      const { child } = await start('express', 'no-hooks')
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
    })
  })
})

const active =
  /^http_server_requests_active_seconds_count\{.*\} 1$|^http_server_requests_active_seconds_active_count\{.*\} 1$/m

async function start(...args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, ['dist/main.js', ...args], { cwd: folder, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const { stdout, stderr } = child
  if (stdout === null) throw new Error('expected a pipe')
  stderr?.on('data', (chunk) => void lines.push(String(chunk)))
  return new Promise<{ url: string; child: ChildProcess; lines: readonly string[] }>((resolveStart, reject) => {
    child.once('exit', () => reject(new Error(lines.join('\n'))))
    createInterface({ input: stdout }).on('line', (line) => {
      lines.push(line)
      if (line.startsWith('url ')) resolveStart({ url: line.slice('url '.length), child, lines })
    })
  })
}
