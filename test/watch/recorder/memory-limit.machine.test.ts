import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { describeWith } from '../../support/describe-with.ts'
import { nextCapture, startRecorded } from './service.ts'

/** A control group with a limit of 256 MiB, below which the test may create others. */
const group = `/sys/fs/cgroup/memory/upkeep-test-${process.pid}`

function missingGroup(): string | undefined {
  try {
    mkdirSync(group)
    writeFileSync(`${group}/memory.limit_in_bytes`, String(256 * 2 ** 20))
    rmdirSync(group)
    return undefined
  } catch {
    return 'a control group for memory (version 1) cannot be created here, so its limit is not tested'
  }
}

describeWith('the flight recorder of a container', missingGroup(), () => {
  beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

  it('profiles the memory that is allocated near the limit', async () => {
    mkdirSync(group)
    onTestFinished(() => rmdirSync(group))
    writeFileSync(`${group}/memory.limit_in_bytes`, String(256 * 2 ** 20))
    const service = await startRecorded({
      recorder: { memory: 0.4, duration: '1s', blockedLoop: false },
      within: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh'],
    })
    onTestFinished(() => service.child.kill())
    service.perform('keep')
    const capture = await nextCapture(service)
    expect(capture).toMatchObject({
      ...{ rule: 'memory', type: 'heap', details: { limitBytes: 256 * 2 ** 20 } },
      reason: expect.stringMatching(/^the container uses 1\d\d MiB of 256 MiB of memory$/),
    })
    const profile = await service.send(`captures/${capture.id}?format=cpuprofile`)
    expect(profile.headers['content-disposition']).toContain('.heapprofile')
    expect(profile.body).toContain('keepMemory')
  })
})
