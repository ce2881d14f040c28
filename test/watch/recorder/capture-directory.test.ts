import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { profileSettings } from '../../../src/watch/profile/profile-options.ts'
import { createFlightRecorder } from '../../../src/watch/recorder/flight-recorder.ts'
import { type RecorderOptions, recorderSettings } from '../../../src/watch/recorder/recorder-options.ts'

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

const root = {
  id: 1,
  callFrame: { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 },
}
const profile = { nodes: [root], startTime: 0, endTime: 1_000, samples: [1], timeDeltas: [0] }

/** The time of the last finding: captures are removed in the order of their times. */
let second = 0

/** A flight recorder whose profiles are all the same one. */
function start(options: RecorderOptions) {
  const report = vi.fn()
  const recorder = createFlightRecorder(recorderSettings(options, profileSettings({}), report), {
    ...{ report, announce: () => {} },
    profiles: {
      async record(_input, waitUntilEnd) {
        await waitUntilEnd()
        return { profiles: [{ kind: 'wall', thread: 'main', profile }], startedAt: 0, seconds: 1 }
      },
    },
  })
  const capture = async () => {
    second += 1
    const finding = { rule: 'blocked-loop', time: second * 1_000, reason: 'blocked', details: {} } as const
    // It is over long after the profile has begun.
    const captured = await recorder.profile(finding, { type: 'wall', ended: Promise.resolve(Date.now() + 60_000) })
    if (captured === undefined) throw new Error('nothing was captured')
    return captured
  }
  const contentOf = (id: string) => recorder.read({ id, format: 'cpuprofile', nonce: '' })
  return { ...recorder, report, capture, contentOf }
}

describe('the directory of the flight recorder', () => {
  it('is created for its owner only, and has a profile and a description per capture', async () => {
    const directory = join(temporaryDirectory(), 'new', 'captures')
    const { id, bytes } = await start({ directory }).capture()
    const files = readdirSync(directory)
    expect(files.sort()).toEqual([`${id}.capture.json`, `${id}.cpuprofile`])
    expect(modeOf(directory)).toBe('700')
    expect(files.map((name) => modeOf(join(directory, name)))).toEqual(['600', '600'])
    const content = readFileSync(join(directory, `${id}.cpuprofile`), 'utf8')
    expect([content.length, JSON.parse(content).nodes.length]).toEqual([bytes, 1])
  })

  it('is limited in number, and shared with other processes', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const [one, other] = [start({ directory, maximumCaptures: 2 }), start({ directory, maximumCaptures: 2 })]
    await one.capture()
    const last = [await other.capture(), await one.capture()]
    const lists = [await one.list(), await other.list()]
    expect(lists[0]?.captures.map(({ id }) => id).sort()).toEqual(last.map(({ id }) => id).sort())
    expect(lists[1]?.captures).toEqual(lists[0]?.captures)
    expect(lists.map(({ dropped }) => dropped)).toEqual([1, 0])
    expect(readdirSync(directory)).toHaveLength(4)
  })

  it('is limited in bytes: a capture that exceeds the limit is kept in memory', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const { capture, contentOf, report } = start({ directory, maximumDirectoryBytes: 100 })
    const { id, bytes } = await capture()
    expect(readdirSync(directory)).toEqual([])
    expect(report.mock.calls).toEqual([
      [`recorder: the capture ${id} cannot be kept in the directory: ${bytes} bytes exceed the limit of 100`],
    ])
    expect(await contentOf(id)).toBeDefined()
  })

  it('is not used if others have access to it: captures are kept in memory', async () => {
    const directory = temporaryDirectory()
    chmodSync(directory, 0o755)
    const { capture, contentOf, report } = start({ directory })
    const { id } = await capture()
    expect(report.mock.calls).toEqual([
      [
        'recorder: captures are kept in memory, because the directory cannot be used: expected a directory of ' +
          'this user with mode 0700, received mode 0755; name one that does not exist, which is created',
      ],
    ])
    expect(readdirSync(directory)).toEqual([])
    expect(await contentOf(id)).toBeDefined()
  })

  it('loses what a process did not finish, and nothing that is not its own', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    mkdirSync(directory, { mode: 0o700 })
    const id = '20260101T000000-blocked-loop-0123ab'
    const old = [`${id}.cpuprofile`, `${id}.capture.json.tmp`, 'notes.txt', 'notes.tmp']
    const all = [
      ...old,
      '20260101T000000-blocked-loop-4567cd.cpuprofile.tmp',
      '20260101T000000-memory-89abef.capture.json',
    ]
    for (const name of all) writeFileSync(join(directory, name), '{"id":"../../etc/passwd"')
    for (const name of old) utimesSync(join(directory, name), 1, 1)
    expect((await start({ directory }).list()).captures).toEqual([])
    expect(readdirSync(directory).sort()).toEqual(all.filter((name) => !name.startsWith(id)).sort())
  })

  it('may be removed meanwhile: captures are kept in memory', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const { list, capture, contentOf, report } = start({ directory })
    await list()
    rmSync(directory, { recursive: true })
    const { id } = await capture()
    expect(await contentOf(id)).toBeDefined()
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/cannot be kept in the directory: ENOENT/))
  })
})
