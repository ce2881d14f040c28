import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { type Child, startChild } from '../../support/child.ts'
import { listenOn } from '../../support/listen.ts'
import { overview, requests, routeOf } from './samples.ts'

const command = built('build/node_modules/upkeep/dist/cli.cjs')

/** Starts a service with a console, whose documents can be replaced. */
async function serve(documents: Record<string, unknown> = { overview, requests }) {
  const state = { status: 200, token: undefined as string | undefined }
  const server = createServer((req, res) => {
    const [, name = ''] = /^\/management\/console\/(\w+)/.exec(req.url ?? '') ?? []
    const isKnown = state.token === undefined || req.headers.authorization === `Bearer ${state.token}`
    res.statusCode = !isKnown ? 401 : documents[name] === undefined ? 404 : state.status
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(documents[name] ?? {}))
  })
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${await listenOn(server)}`, state, documents }
}

function start(words: readonly string[], env: NodeJS.ProcessEnv = {}): Child {
  const child = startChild(process.execPath, [command, 'top', ...words], {
    env: { ...process.env, UPKEEP_TOKEN: '', ...env },
  })
  onTestFinished(() => child.kill())
  return child
}

async function run(words: readonly string[], env?: NodeJS.ProcessEnv) {
  const child = start(words, env)
  const code = await child.ended
  return { code, out: child.out.lines, err: child.err.lines }
}

describe('upkeep top --once', () => {
  it('writes one sample with all routes, without escape sequences', async () => {
    const routes = Array.from({ length: 50 }, (_, at) => routeOf({ route: `/${at}`, rate: at }))
    const { url } = await serve({ overview, requests: { ...requests, routes } })
    const { code, out, err } = await run([url, '--once'])
    expect([code, err]).toEqual([0, []])
    expect(out[0]).toMatch(/^\d\d:\d\d:\d\d {2}orders {2}1\.4\.2/)
    expect(out.filter((line) => line.startsWith('GET /'))).toHaveLength(50)
    expect(out.find((line) => line.startsWith('GET /'))).toMatch(/^GET \/49 /)
    expect(out.join('\n')).not.toContain('\u001b')
  })

  it('writes one line of JSON with the routes of the filter', async () => {
    const routes = [routeOf({}), routeOf({ route: '/\u202eevil\u001b' })]
    const { url } = await serve({ overview, requests: { ...requests, routes } })
    const { code, out } = await run([`${url}/management`, '--once', '--json', '--filter', 'evil'])
    expect([code, out.length]).toEqual([0, 1])
    expect(out[0]).not.toMatch(/\p{Cc}|\u202e/u)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      ...{ source: 'console', health: { status: 'DOWN' }, members: ['0', '1'] },
      routes: [{ route: '/\u202eevil\u001b', rate: 12.34 }],
    })
  })

  it('sends the token of the environment', async () => {
    const { url, state } = await serve()
    state.token = 'secret'
    expect(await run([url, '--once', '--json'], { UPKEEP_TOKEN: 'secret' })).toMatchObject({ code: 0, err: [] })
    const place = `${url}/management/console/overview`
    expect(await run([url, '--once'])).toEqual({
      ...{ code: 1, out: [] },
      err: [`upkeep top: ${place}: responded with 401: set UPKEEP_TOKEN`],
    })
    expect(await run([url, '--once'], { UPKEEP_TOKEN: 'other' })).toEqual({
      ...{ code: 1, out: [] },
      err: [`upkeep top: ${place}: responded with 401: not authorized`],
    })
  })
})

describe('upkeep top without a terminal', () => {
  it.each([[[]], [['--json']]])('writes a line for each sample until SIGTERM: %j', async (words) => {
    const { url } = await serve()
    const child = start([url, ...words], { TERM: 'dumb', FORCE_COLOR: '' })
    await child.out.line(/Health DOWN|"status":"DOWN"/, 2)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    expect(child.out.lines.join('')).not.toContain('\u001b')
    expect(child.err.lines).toEqual([])
  })

  it('reports failures as lines, and continues with the version that is there then', async () => {
    const { url, state, documents } = await serve()
    const child = start([url])
    await child.out.line(/Health DOWN/)
    state.status = 500
    await child.err.line(/^upkeep top: http:.*: responded with 500; next attempt in 1 s$/)
    const application = { ...overview.application, version: '1.5.0', startedAt: overview.now }
    documents['overview'] = { ...overview, application }
    state.status = 200
    await child.err.line(/^upkeep top: restarted at [\d:]+: version 1\.5\.0, before 1\.4\.2$/)
    child.process.kill('SIGINT')
    expect(await child.ended).toBe(0)
  })

  it.each([
    [[], 'expected a URL such as http://127.0.0.1:8081/management, received none'],
    [['orders'], 'expected a URL such as http://127.0.0.1:8081/management, received orders'],
    [['http://a', 'b'], 'expected one URL, received b as well'],
    [
      ['http://user:password@a'],
      'expected a URL without a name and password, which other users see; set UPKEEP_USER=name:password',
    ],
    [['http://a', '--interval', '0.5'], '--interval: expected seconds from 1 to 86400, received 0.5'],
    [['http://a', '--interval', 'soon'], '--interval: expected seconds from 1 to 86400, received soon'],
    [['http://a', '--sort', 'name'], '--sort: expected one of rate, errors, p50, p95, p99, requests, received name'],
    [['http://a', '--token', 'x'], "Unknown option '--token'"],
  ])('exits with 2 for %j', async (words, message) => {
    expect(await run(words)).toEqual({ code: 2, out: [], err: [`upkeep top: ${message}`, 'See upkeep top --help.'] })
  })

  it('exits with 1 if nothing listens', async () => {
    const { code, out, err } = await run(['http://127.0.0.1:1'])
    expect([code, out]).toEqual([1, []])
    expect(err).toEqual([expect.stringMatching(/^upkeep top: http:.*: connect ECONNREFUSED 127\.0\.0\.1:1$/)])
  })

  it('lists its options', async () => {
    expect(await run(['--help'])).toMatchObject({
      code: 0,
      err: [],
      out: expect.arrayContaining([expect.stringContaining('--sort')]),
    })
  })
})

const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')
if (!hasScript) console.warn('The keys of upkeep top are not tested: install script of util-linux.')

/** Runs the command in a pseudo terminal of 80 columns and 24 rows, and prints its settings afterwards. */
function startInTerminal(url: string, env: NodeJS.ProcessEnv = {}) {
  const settings = 'stty -a | tr ";" "\\n" | grep -o -- "-\\?icanon\\|-\\?echo "'
  const line = `trap : INT; stty rows 24 cols 80; ${process.execPath} ${command} top ${url}; code=$?`
  const words = ['-qefc', `${line}; echo; echo "code $code"; ${settings}; echo end`, '/dev/null']
  const child = startChild('script', words, {
    env: { ...process.env, SHELL: '/bin/sh', TERM: 'xterm', UPKEEP_TOKEN: '', NO_COLOR: '1', ...env },
  })
  onTestFinished(() => child.kill())
  let text = ''
  child.process.stdout?.on('data', (chunk) => {
    text += chunk
  })
  return {
    type: child.writeInput,
    text: () => text,
    /** Resolves once the text has been written. */
    shows: (expected: RegExp) => expect.poll(() => text, { timeout: 180_000 }).toMatch(expected),
    async lastLines() {
      await child.out.line(/^end/)
      return child.out.lines.map((each) => each.trim()).slice(-4)
    },
  }
}

const isRestored = ['code 0', 'icanon', 'echo', 'end']

describe.runIf(hasScript)('upkeep top on a terminal', () => {
  it.each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ])('shows a screen, and restores the terminal after %s', async (_, key) => {
    const { url } = await serve()
    const { type, text, shows, lastLines } = startInTerminal(url)
    await shows(/GET \/orders/)
    type(key)
    expect(await lastLines()).toEqual(isRestored)
    expect(text().startsWith('\u001b[?1049h\u001b[?25l')).toBe(true)
    expect(text()).toContain('\u001b[?25h\u001b[?1049l')
    expect(text()).not.toContain('\u001b[32m')
  })

  it('responds to keys', async () => {
    const routes = [routeOf({}), routeOf({ route: '/customers', rate: 1, errors: 5 })]
    const { url } = await serve({ overview, requests: { ...requests, routes } })
    const { type, shows, lastLines } = startInTerminal(url)
    await shows(/GET \/customers/)
    for (const [keys, expected] of [
      ['s', /sort:errors/],
      ['/cust\r', /filter:cust/],
      ['m', /member:0/],
      ['p', /PAUSED/],
    ] as const) {
      type(keys)
      await shows(expected)
    }
    type('q')
    expect(await lastLines()).toEqual(isRestored)
  })

  it('asks for a token without showing it', async () => {
    const { url, state } = await serve()
    state.token = 'secret'
    const { type, text, shows, lastLines } = startInTerminal(url)
    await shows(/Token: /)
    type('secrex\u007ft\r')
    await shows(/GET \/orders/)
    type('q')
    expect(await lastLines()).toEqual(isRestored)
    expect(text()).not.toContain('secre')
  })

  it('shows why the service cannot be read, and continues when it can', async () => {
    const { url, state } = await serve()
    const { type, shows, lastLines } = startInTerminal(url)
    await shows(/GET \/orders/)
    state.status = 500
    await shows(/responded with 500; n/)
    state.status = 200
    await shows(/with 500; n[\s\S]*external 3M\s+\S*! db is DOWN/)
    type('q')
    expect(await lastLines()).toEqual(isRestored)
  })

  it('writes lines to TERM=dumb', async () => {
    const { url } = await serve()
    const { type, text, shows, lastLines } = startInTerminal(url, { TERM: 'dumb' })
    await shows(/Health DOWN[\s\S]*Health DOWN/)
    type('\u0003')
    expect(await lastLines()).toEqual(isRestored)
    expect(text()).not.toContain('\u001b')
  })
})
