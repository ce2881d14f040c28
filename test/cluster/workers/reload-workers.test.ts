import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { keepAlive } from '../../support/keep-alive.ts'
import { createRawClient } from '../../support/raw-client.ts'
import { type ClusterService, startService } from './start-service.ts'

let service: ClusterService | undefined

afterEach(() => service?.primary.kill())

async function start(env?: NodeJS.ProcessEnv): Promise<ClusterService> {
  service = await startService(env)
  return service
}

const reload = (env: NodeJS.ProcessEnv = {}, options: object = {}) => ({ command: 'reload', env, ...options })

async function workers({ primary, send }: ClusterService, nth = 1): Promise<string> {
  send({ command: 'list' })
  return primary.out.line(/^workers /, nth)
}

describe('reloadWorkers', () => {
  it('replaces the workers in order', async () => {
    const service = await start()
    service.send(reload())
    const replaced = [
      { id: 1, replacement: 3, end: 'exited' },
      { id: 2, replacement: 4, end: 'exited' },
    ]
    expect(await service.primary.out.line(/^(reloaded|failed)/)).toBe(`reloaded ${JSON.stringify({ replaced })}`)
    expect(await workers(service)).toBe('workers 3 4')
  })

  it('joins an active reload', async () => {
    const service = await start({ WORKERS: '1' })
    service.send(reload())
    service.send(reload())
    service.primary.process.kill('SIGHUP')
    const results = [await service.primary.out.line(/^reloaded/, 1), await service.primary.out.line(/^reloaded/, 2)]
    expect(new Set(results)).toEqual(new Set(['reloaded {"replaced":[{"id":1,"replacement":2,"end":"exited"}]}']))
    expect(await workers(service)).toBe('workers 2')
  })

  it('ends workers that do not call shutdownGracefully with SIGTERM', async () => {
    const service = await start({ WORKERS: '1', MODE: 'plain' })
    service.send(reload())
    await service.primary.out.line(/^reloaded/)
    expect(service.primary.out.lines).toContain('worker 1 exited with SIGTERM')
    expect(await workers(service)).toBe('workers 2')
  })

  it('kills a worker that does not end in time', async () => {
    const service = await start({ WORKERS: '1', MODE: 'plain hangs' })
    service.send(reload({}, { stopTimeout: '1h' }))
    await service.primary.out.line(/^hangs$/)
    service.send({ command: 'expire' })
    const line = await service.primary.out.line(/^reloaded/)
    expect(line).toBe('reloaded {"replaced":[{"id":1,"replacement":2,"end":"killed"}]}')
  })

  it('waits until a start-up task of the new worker has completed', async () => {
    const service = await start({ WORKERS: '1' })
    service.send(reload({ MODE: 'late' }))
    await service.primary.out.line(/^worker 2 listens$/)
    expect(await workers(service)).toBe('workers 1 2')
    service.send({ command: 'proceed' })
    expect(await service.primary.out.line(/^(reloaded|failed)/)).toMatch(/^reloaded/)
  })

  it.each([
    ['throws', /^worker 3 exited/, 'the new worker exited with 1; it did not listen'],
    ['mute', /^mute$/, 'the new worker is not ready after 3600000 ms; it did not listen'],
    [
      'not ready',
      /^worker 3 listens$/,
      'the new worker is not ready after 3600000 ms; it listened, but did not accept traffic',
    ],
  ])('keeps the old workers if the new one %s', async (mode, isThere, reason) => {
    const service = await start()
    service.send(reload({ MODE: mode }, { startTimeout: '1h' }))
    await service.primary.out.line(isThere)
    service.send({ command: 'expire' })
    const message = `failed: reloadWorkers: ${reason}; 0 of 2 workers have been replaced`
    expect(await service.primary.out.line(/^(reloaded|failed)/)).toBe(message)
    expect(await workers(service)).toBe('workers 1 2')
    expect(service.primary.out.lines.join()).not.toContain('forking another')
    expect((await createRawClient(service.port)({ target: '/' })).status).toBe(200)
    service.send(reload({ MODE: '' }))
    await service.primary.out.line(/^reloaded/)
    expect((await workers(service, 2)).split(' ')).toHaveLength(3)
  })

  it('does not replace a worker that crashes before its turn, which the application replaces', async () => {
    const service = await start()
    service.send(reload({ MODE: 'late' }))
    service.send({ command: 'kill', id: 2 })
    await service.primary.out.line(/^worker 2 exited with SIGKILL, forking another$/)
    await service.primary.out.line(/^worker 3 listens$/)
    service.send({ command: 'proceed' })
    expect(await service.primary.out.line(/^reloaded/)).toBe(
      'reloaded {"replaced":[{"id":1,"replacement":3,"end":"exited"}]}',
    )
    expect(await workers(service)).toBe('workers 3 4')
  })

  it('replaces a worker that crashes while its replacement starts', async () => {
    const service = await start({ WORKERS: '1' })
    service.send(reload({ MODE: 'late' }))
    service.send({ command: 'kill', id: 1 })
    await service.primary.out.line(/^worker 1 exited with SIGKILL$/)
    await service.primary.out.line(/^worker 2 listens$/)
    service.send({ command: 'proceed' })
    await service.primary.out.line(/^reloaded/)
    expect(await workers(service)).toBe('workers 2')
  })

  it('forks once more for a worker that crashes while its replacement fails to start', async () => {
    const service = await start({ WORKERS: '1' })
    service.send(reload({ MODE: 'mute' }, { startTimeout: '1h' }))
    service.send({ command: 'kill', id: 1 })
    await service.primary.out.line(/^worker 1 exited with SIGKILL$/)
    service.send({ command: 'expire' })
    await service.primary.out.line(/^failed/)
    expect(await workers(service)).toBe('workers 3')
  })

  it('rejects when the workers are stopped', async () => {
    const service = await start()
    service.send(reload({ MODE: 'not ready' }))
    await service.primary.out.line(/^worker 3 listens$/)
    service.primary.process.kill('SIGTERM')
    expect(await service.primary.out.line(/^failed/)).toMatch(/the new worker exited with 0|are being stopped/)
    expect(await service.primary.ended).toBe(0)
  })
})

describe('stopWorkers', () => {
  it('resolves when the workers have exited', async () => {
    const service = await start()
    service.primary.process.kill('SIGTERM')
    expect(await service.primary.ended).toBe(0)
    for (const id of [1, 2]) expect(service.primary.out.lines).toContain(`worker ${id} exited with 0`)
  })
})

describe('shutdownGracefully in a worker', () => {
  it('finishes its requests if the primary is killed meanwhile', async () => {
    const { primary, port } = await start({ WORKERS: '1', DELAY: '10m' })
    const connection = await keepAlive(port)
    const pid = Number.parseInt((await connection.get('/')).body, 10)
    try {
      process.kill(pid, 'SIGTERM')
      const probe = async () => (await connection.get('/management/health/readiness')).status
      await expect.poll(probe).toBe(503)
      const response = connection.get('/slow')
      const exit = once(primary.process, 'exit')
      primary.process.kill('SIGKILL')
      await exit
      expect((await response).status).toBe(200)
    } finally {
      process.kill(pid, 'SIGKILL')
    }
  })

  it('leaves the application its messages', async () => {
    const service = await start({ WORKERS: '1' })
    service.send({ command: 'echo' })
    expect(await service.primary.out.line(/^echo/)).toBe('echo "hello"')
  })
})
