import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { built } from '../../support/built.ts'
import { nextCapture, startRecorded } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const permission = major > 22 || (major === 22 && minor >= 13) ? '--permission' : '--experimental-permission'
const model = [permission, '--allow-fs-read=*', '--allow-worker', '--no-warnings']
// Versions before do not restrict the network.
const network = major >= 26 ? ['--allow-net'] : []

describe('a flight recorder under the permission model', () => {
  it('captures without profiles where the inspector is not permitted, and says so once', async () => {
    const service = await startRecorded({
      recorder: { blockedLoop: '500ms', interval: '1ms' },
      flags: [...model, ...network],
    })
    const reason = await service.child.out.line(/^reported recorder: captures contain no profiles: /)
    expect(reason).toMatch(major < 24 ? /: the inspector is not available / : /: the inspector requires /)
    await service.burnAWhile({ hasStack: false })
    const { type, details } = await nextCapture(service, /"blockedMilliseconds":\d{4}/)
    expect(type).toBe('report')
    expect(details).toMatchObject({
      isOver: expect.any(Boolean),
      missingProfile: expect.stringMatching(/^Not available/),
    })
  })

  it('keeps captures in memory where no file may be written, and says so once', async () => {
    const directory = join(tmpdir(), 'upkeep-never-created')
    const service = await startRecorded({ recorder: { directory }, flags: [...model, ...network] })
    await service.child.out.line(
      /^reported recorder: captures are kept .* cannot be used: it requires the permission --allow-fs-write$/,
    )
    expect(JSON.parse((await service.send('captures')).body).captures).toEqual([])
  })
})
