import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCluster } from 'upkeep/cluster'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRawClient } from '../../support/raw-client.ts'
import { type Load, startLoad } from './load.ts'
import { type ClusterService, startService } from './start-service.ts'

const requests = 20_000

let service: ClusterService | undefined
let load: Load | undefined
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'upkeep-workers-'))
})
afterEach(async () => {
  await load?.stop()
  await service?.primary.kill()
  await rm(directory, { recursive: true, force: true })
})

/** Returns what the workers have counted, those that have ended too. */
async function counted(): Promise<number> {
  const { measurements } = readCluster({ directory, group: 'workers' })
  await measurements.refresh?.()
  const [series] = measurements.snapshot('requests.answered')
  return series?.kind === 'counter' ? series.value : Number.NaN
}

async function startUnderLoad(env: NodeJS.ProcessEnv): Promise<{ service: ClusterService; load: Load }> {
  service = await startService({ ...env, GROUP_DIRECTORY: directory })
  load = startLoad(service.port)
  return { service, load }
}

describe.each(['round robin', 'none'])('with the scheduling policy %s', (policy) => {
  it(`a rolling reload loses none of ${requests} requests, and no count`, { timeout: 240_000 }, async () => {
    const { service, load } = await startUnderLoad({ POLICY: policy })
    await expect.poll(() => load.total).toBeGreaterThan(requests / 10)
    const before = [...load.answered.keys()]
    service.primary.process.kill('SIGHUP')
    for (const nth of [1, 2]) await service.primary.out.line(/^reload: worker \d+ exited, replaced by/, nth)
    const rest = Math.max(requests, load.total + 1_000)
    await expect.poll(() => load.total).toBeGreaterThan(rest)
    await load.stop()
    expect(load.lost).toEqual([])
    expect(load.refused).toBe(0)
    await expect.poll(counted).toBe(load.total)
    const after = [...load.answered.keys()].filter((pid) => !before.includes(pid))
    expect([before.length, after.length]).toEqual([2, 2])
  })

  it(`a graceful stop loses none of ${requests} requests, and no count`, { timeout: 240_000 }, async () => {
    const { service, load } = await startUnderLoad({ POLICY: policy, DELAY: '700ms' })
    await expect.poll(() => load.total).toBeGreaterThan(requests)
    service.primary.process.kill('SIGTERM')
    const probe = createRawClient(service.port)
    const readiness = async () => (await probe({ target: '/management/health/readiness' })).status
    await expect.poll(readiness).toBe(503)
    load.connectNoMore()
    expect(await service.primary.ended).toBe(0)
    await load.stop()
    expect(load.lost).toEqual([])
    expect(await counted()).toBe(load.total)
  })
})
