import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type MemberProcess, startGroup, startMember } from '../cluster/processes/start-member.ts'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const command = built('build/node_modules/upkeep/dist/cli.cjs')

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'upkeep-cluster-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

function start(words: readonly string[], env: NodeJS.ProcessEnv = {}): Child {
  return startChild(process.execPath, [command, 'cluster', ...words], { env: { ...process.env, ...env } })
}

async function run(words: readonly string[], env?: NodeJS.ProcessEnv) {
  const child = start(words, env)
  const code = await child.ended
  return { code, out: child.out.lines.join('\n'), err: child.err.lines.join('\n') }
}

async function readJson(words: readonly string[]) {
  const { code, out, err } = await run([...words, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

describe('upkeep cluster', () => {
  it('lists the groups with their processes and threads', async () => {
    const { directory, members } = await startGroup({ THREADS: '1' }, { SERIES: '100' })
    // A member is listed before it has written its series.
    const haveSeries = async () =>
      (await readJson(['--directory', directory])).groups[0].members.map(({ series }: { series: number }) => series > 0)
    await expect.poll(haveSeries).toEqual([true, true, true])
    const [one, other] = members.map(({ child }) => child.process.pid)
    const { code, out, err } = await run(['--directory', directory])
    expect([code, err]).toEqual([0, ''])
    const [heading, columns, ...rows] = out.split('\n')
    expect(heading).toBe('group-members: 3 live members')
    expect(columns).toMatch(/^ +slot +pid +thread {2}state +age +series$/)
    expect(rows.map((row) => row.trim().split(/ {2,}/).slice(0, 4))).toEqual([
      ['0', `${one}`, '0', 'accepting'],
      ['1', `${one}`, '1', 'accepting'],
      ['2', `${other}`, '0', 'accepting'],
    ])
    const { groups } = await readJson(['--directory', directory])
    expect(groups).toMatchObject([{ id: 'group-members', members: [{ slot: 0 }, { slot: 1 }, { slot: 2 }] }])
    const [least, , most] = groups[0].members.map(({ series }: { series: number }) => series)
    expect(most).toBe(least + 100)
    expect(groups[0].members[2]).toEqual({
      ...{ slot: 2, pid: other, thread: 0, state: 'accepting', series: most, application: 'members' },
      age: expect.any(Number),
      joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  })

  it('shows a killed member as ended, and why a file is refused', async () => {
    const { directory, members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await writeFile(join(directory, 'group-members', '7.member'), 'hello', { mode: 0o600 })
    // A member that runs removes the file of one that has ended.
    one.child.process.kill('SIGSTOP')
    await other.child.kill()
    const words = ['--directory', directory, '--group', 'members']
    expect(await readJson(words)).toMatchObject({
      id: 'group-members',
      members: [
        { slot: 0, state: 'accepting' },
        { slot: 1, state: 'ended' },
      ],
      refused: [{ file: '7.member', reason: expect.stringContaining('truncated') }],
    })
    const { out } = await run(words)
    expect(out).toMatch(/^group-members: 1 live member, 1 ended\n/)
    expect(out).toMatch(/\n {2}7\.member is refused: truncated/)
  })

  it('finds a group by its id too, also if it has no live members', async () => {
    const { directory, members } = await startGroup({})
    await members[0]?.child.kill()
    const words = ['--directory', directory, '--group', 'group-members']
    expect(await readJson(words)).toMatchObject({ members: [{ slot: 0, state: 'ended' }], refused: [] })
    const { code, err } = await run(['--directory', directory, '--listen', '127.0.0.1:0'])
    expect([code, err]).toEqual([
      1,
      'upkeep cluster: group: no group has a live member; the groups of this user are group-members',
    ])
  })

  it('creates nothing where this user has no groups', async () => {
    const temporary = await newDirectory()
    const env = { TMPDIR: temporary, XDG_RUNTIME_DIR: '' }
    expect(await run([], env)).toEqual({ code: 0, out: 'This user has no groups.', err: '' })
    expect(JSON.parse((await run(['--json'], env)).out)).toEqual({ groups: [] })
    expect(await run(['--directory', temporary])).toMatchObject({ out: `There are no groups in ${temporary}.` })
    expect(await readdir(temporary)).toEqual([])
  })

  it('exits with 1 for a group that does not exist, or that others have access to', async () => {
    const directory = await newDirectory()
    await mkdir(join(directory, 'group-a'), { mode: 0o700 })
    await writeFile(join(directory, 'group-a', 'group.json'), '{}')
    expect(await run(['--directory', directory, '--group', 'b'])).toEqual({
      ...{ code: 1, out: '' },
      err: 'upkeep cluster: group: there is no group "b"; the groups of this user are group-a',
    })
    await chmod(join(directory, 'group-a'), 0o755)
    expect(await run(['--directory', directory, '--group', 'a'])).toEqual({
      ...{ code: 1, out: '' },
      err: `upkeep cluster: ${join(directory, 'group-a')}: expected mode 0700, received 0755: other users have access`,
    })
    expect(await run(['--directory', join(directory, 'none')])).toMatchObject({
      ...{ code: 1, out: '' },
      err: `upkeep cluster: --directory: ${join(directory, 'none')} does not exist`,
    })
  })

  it.each([
    [['orders'], 'expected options only, received orders; a group is named by --group'],
    [['--group='], '--group: expected the name or id of a group, received an empty string'],
    [['--directory='], '--directory: expected a directory, received an empty string'],
    [['--group'], "Option '--group <value>' argument missing"],
    [['--colour'], "Unknown option '--colour'"],
    [['--listen', '9464'], '--listen: expected a host and a port, such as 127.0.0.1:9464, received 9464'],
    [['--listen', ':9464'], '--listen: expected a host and a port, such as 127.0.0.1:9464, received :9464'],
    [['--listen', '::1:9464'], '--listen: expected a host and a port, such as 127.0.0.1:9464, received ::1:9464'],
    [['--listen', 'a:65536'], '--listen: expected a host and a port, such as 127.0.0.1:9464, received a:65536'],
    [['--listen', 'a:1', '--json'], '--json: not available with --listen, which serves all formats'],
  ])('exits with 2 for %j', async (words, message) => {
    const err = `upkeep cluster: ${message}\nSee upkeep cluster --help.`
    expect(await run(words)).toEqual({ code: 2, out: '', err })
  })

  it('lists its options', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--listen <host:port>') })
  })
})

describe('upkeep cluster --listen', () => {
  async function serve(directory: string, host = '127.0.0.1') {
    const child = start(['--directory', directory, '--group', 'members', '--listen', `${host}:0`])
    onTestFinished(() => child.kill())
    const line = await child.out.line(/^group-members at http:/)
    const port = Number(/:(\d+)\/metrics$/.exec(line)?.[1])
    return { child, line, port, request: createRawClient(port) }
  }

  it('serves the values of all members, and what has ended, until SIGTERM', async () => {
    const { directory, members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    const { child, line, port, request } = await serve(directory)
    expect(line).toBe(`group-members at http://127.0.0.1:${port}/metrics`)
    const sample = async (name: string, query = '') => {
      const { body } = await request({ target: `/metrics${query}` })
      return Number(
        body
          .split('\n')
          .find((each) => each.startsWith(`${name} `))
          ?.split(' ')
          .at(-1),
      )
    }
    await one.send({ command: 'count', amount: 2 })
    await other.send({ command: 'count', amount: 3 })
    await expect.poll(() => sample('orders_placed_total')).toBe(5)
    expect(await sample('orders_placed_total', '?member=1')).toBe(3)
    expect(await sample('upkeep_cluster_members')).toBe(2)
    await other.child.kill()
    expect(await sample('orders_placed_total')).toBe(5)
    expect(await sample('upkeep_cluster_members')).toBe(1)
    await one.child.kill()
    expect(await sample('orders_placed_total')).toBe(5)
    expect(await sample('upkeep_cluster_members')).toBe(0)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    expect(child.err.lines).toEqual([])
  })

  it('responds in the format that the client accepts, and to probes of its own health', async () => {
    const { directory } = await startGroup({})
    const { child, request } = await serve(directory)
    const formatOf = async (accept: string) => {
      const { status, headers } = await request({ target: '/metrics', headers: { Accept: accept } })
      return [status, headers['content-type']?.split(';')[0]]
    }
    expect(await formatOf('*/*')).toEqual([200, 'text/plain'])
    expect(await formatOf('application/openmetrics-text;version=1.0.0')).toEqual([200, 'application/openmetrics-text'])
    const protobuf = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited'
    expect(await formatOf(protobuf)).toEqual([200, 'application/vnd.google.protobuf'])
    expect(await formatOf('image/png')).toEqual([406, 'application/problem+json'])
    expect(await request({ target: '/health' })).toMatchObject({ status: 200, body: expect.stringContaining('"UP"') })
    expect(await request({ target: '/metrics', headers: { Host: 'example.com' } })).toMatchObject({ status: 421 })
    expect(await request({ target: '/metrics?member=9' })).toMatchObject({ status: 404 })
    child.process.kill('SIGINT')
    expect(await child.ended).toBe(0)
  })

  it('follows a group that begins anew', async () => {
    const { directory, members } = await startGroup({})
    const { request } = await serve(directory)
    await members[0]?.send({ command: 'count', amount: 2 })
    await members[0]?.child.kill()
    const next = await startMember(directory)
    onTestFinished(() => next.child.kill())
    await next.send({ command: 'count', amount: 1 })
    const scrape = async () => (await request({ target: '/metrics' })).body
    await expect.poll(scrape).toMatch(/^orders_placed_total 1$/m)
  })

  it('exits with 1 if the port is not available', async () => {
    const { directory } = await startGroup({})
    const server = createServer()
    onTestFinished(() => void server.close())
    const port = await listenOn(server)
    const { code, out, err } = await run(['--directory', directory, '--listen', `127.0.0.1:${port}`])
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(`upkeep cluster: listen EADDRINUSE: address already in use 127.0.0.1:${port}`)
  })
})
