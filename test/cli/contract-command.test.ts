import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runContract } from '../../src/cli/contract-command.ts'
import { startMutant } from '../contract/mutants/mutant-server.ts'
import { type ConformingServer, startConformingServer } from '../contract/support/conforming-server.ts'
import { folderWith } from '../support/folder-with.ts'
import type { Listening } from '../support/listen.ts'

let right: ConformingServer
let broken: Listening
beforeAll(async () => {
  right = await startConformingServer()
  broken = await startMutant(right.port, {
    changeResponse: (response) => ({ ...response, body: Buffer.from('<&"\u0001>') }),
  })
})
afterAll(async () => {
  await broken.close()
  await right.close()
})

async function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}, isTerminal = false) {
  let [out, err] = ['', '']
  const output = { write: (text: string) => (out += text), writeError: (text: string) => (err += text), isTerminal }
  const code = await runContract(words, environment, output)
  return { code, out, err }
}

const good = () => `http://127.0.0.1:${right.port}`
const bad = () => `http://127.0.0.1:${broken.port}`

describe('upkeep contract', () => {
  it('exits with 0 when all cases hold or are skipped, and counts them', async () => {
    const { code, out } = await run([good(), '--only', 'health'], { UPKEEP_TOKEN: 'contract-token' })
    expect(code).toBe(0)
    expect(out).toContain('✓ health.details.authorized')
    expect(out).toMatch(
      /- health\.down\.head: .* \(skipped: no way to bring about the state: pass the option states\.databaseDown, which the command does not have\)/,
    )
    expect(out).toMatch(/\n\d+ held, 0 broken, 7 skipped\n$/)
  })

  it.each([
    [['http://127.0.0.1:1'], /cannot be reached: .*ECONNREFUSED/],
    [[], /expected a URL such as/],
    [['localhost:3000'], /baseUrl: expected a URL such as/],
    [['http://ann:100%@127.0.0.1:1'], /contract: expected a name and password in the URL that are percent-encoded as/],
    [['http://127.0.0.1:1', '--colour'], /Unknown option '--colour'/],
    [['http://127.0.0.1:1', '--only', 'helth'], /received 'helth'/],
    [
      ['http://127.0.0.1:1', '--reporter', 'dots'],
      /--reporter: expected spec, github, tap, junit, json, received dots/,
    ],
    [['http://127.0.0.1:1', '--reporter', 'junit,json'], /--reporter: expected one like it, received json as well/],
    [['http://127.0.0.1:1', '--reporter', 'junit,github'], /junit and github cannot both be printed: pass --output/],
    [['http://127.0.0.1:1', '--output', 'a.xml'], /--output: expected --reporter tap, junit or json with it/],
    [
      ['http://127.0.0.1:1', '--reporter', 'junit', '--output', '/nowhere/a.xml'],
      /--output: ENOENT: no such file or directory/,
    ],
    [['http://127.0.0.1:1', '--level', 'ought'], /--level: expected must, should or may/],
    [['http://127.0.0.1:1', '--details', 'some'], /--details: expected/],
    [
      ['http://127.0.0.1:1', '--path', '/metrics'],
      /--path: expected an endpoint and its path, such as prometheus=\/metrics, received \/metrics/,
    ],
    [
      ['http://127.0.0.1:1', '--unsupported', 'raw-targets'],
      /--unsupported: expected raw-targets=<reason>, received raw-targets/,
    ],
    [['http://127.0.0.1:1', 'http://127.0.0.1:2'], /expected one URL, received/],
  ])('exits with 2 for %j', async (words, message) => {
    const { code, out, err } = await run(words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })

  it('prefers the token option to the environment variable, and never prints it', async () => {
    const words = [good(), '--only', 'health.details.authorized', '--token', 'wrong']
    const { code, out } = await run(words, { UPKEEP_TOKEN: 'contract-token' })
    expect(code).toBe(1)
    expect(out).toContain('Authorization: …')
    expect(out).not.toContain('wrong')
  })

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ])('with %j on a terminal (%s) uses colors: %s', async (environment, isTerminal, coloured) => {
    const { out } = await run([good(), '--only', 'info.object'], environment as Record<string, string>, isTerminal)
    expect(out.includes('\u001b[')).toBe(coloured)
  })

  it.concurrent('exits with 1 when a case is broken, and prints what was expected, sent and received', async () => {
    const { code, out } = await run([bad(), '--only', 'info.object', '--expose', 'info'])
    expect(code).toBe(1)
    expect(out).toContain('✗ info.object')
    expect(out).toMatch(
      /1\) info\.object\n.*\n {3}expected content that is JSON in UTF-8\n {3}sent {5}GET \/management\/info\n {3}received 200\n/,
    )
  })

  it.concurrent('prints the reason of a case skipped because of an unsupported ability', async ({ onTestFinished }) => {
    const resolving = await startMutant(right.port, {
      changeRequest: (request) => ({ ...request, target: new URL(request.target, 'http://a').pathname }),
    })
    onTestFinished(resolving.close)
    const words = [`http://127.0.0.1:${resolving.port}`, '--only', 'conventions.paths.dot']
    const unsupported = ['--unsupported', 'raw-targets=the server makes URLs of them']
    const [broken, skipped] = await Promise.all([run(words), run([...words, ...unsupported])])
    expect([broken.code, skipped.code]).toEqual([1, 0])
    expect(skipped.out).toContain('by the service. (skipped: the server makes URLs of them)')
  })

  it.concurrent('reports as TAP', async () => {
    const { out } = await run([bad(), '--only', 'info.object,webhook.ok.body', '--expose', 'info', '--reporter', 'tap'])
    expect(out).toMatch(
      /^TAP version 14\n1\.\.2\nnot ok 1 - info\.object: .*\n {2}---\n {2}section: ".*"\n {2}expected: "content/,
    )
    expect(out).toMatch(
      /\n {2}\.\.\.\nok 2 - webhook\.ok\.body: .* # SKIP no webhook: pass its path as the option hook \(--hook\)\n$/,
    )
  })

  it.concurrent('reports as JUnit, without characters that XML forbids', async () => {
    const { out } = await run([bad(), '--only', 'info.object', '--expose', 'info', '--reporter', 'junit'])
    expect(out).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="upkeep contract" tests="1" failures="1" skipped="0"/,
    )
    expect(out).toContain('<testcase classname="contract.info" name="info.object: ')
    expect(out).toContain('&lt;&amp;&quot;\ufffd&gt;')
  })

  it.concurrent('writes JUnit to a file, and annotations of GitHub beside it', async () => {
    const folder = await folderWith({})
    const file = join(folder, 'contract.xml')
    const words = [bad(), '--only', 'info.object', '--expose', 'info', '--output', file]
    const both = run([...words, '--reporter', 'junit,github'])
    const beside = run([...words.slice(0, -1), join(folder, 'beside.xml'), '--reporter', 'junit'])
    const { code, out } = await both
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toMatch(/^<\?xml (?:.|\n)*<failure (?:.|\n)*<\/testsuites>\n$/)
    expect(out).toMatch(
      /✗ info\.object(?:.|\n)*1 broken, 0 skipped\n::[\w-]+::\n::error title=upkeep contract%3A info\.object::.*%0Aexpected /,
    )
    expect(out.split('\n').filter((line) => line.startsWith('::error'))).toHaveLength(1)
    expect((await beside).out).toMatch(/✗ info\.object(?:.|\n)*1 broken, 0 skipped\n$/)
  })

  it.concurrent('has GitHub Actions take nothing that the service has sent for a command', async () => {
    const { out } = await run([bad(), '--only', 'info.object', '--expose', 'info', '--reporter', 'github'])
    const [, token] = /^::stop-commands::([\w-]{36})\n/.exec(out) ?? []
    expect(out.indexOf(`\n::${token}::\n::error `)).toBeGreaterThan(out.indexOf('received 200'))
  })

  it.skipIf(!existsSync('/dev/full'))('exits with 2 if the file cannot be written any more', async () => {
    const words = ['--only', 'info.object', '--reporter', 'junit', '--output', '/dev/full']
    const { code, err } = await run([good(), ...words])
    expect([code, err]).toEqual([2, expect.stringMatching(/--output: ENOSPC: /)])
  })

  it('takes the name and password in a URL, and never prints them', async () => {
    const { host } = new URL(good())
    const { code, out, err } = await run([`http://ann:pass%20word@${host}`, '--only', 'info.object'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`1 cases for http://${host}\n`)
    expect(await run([`http://ann:%E2%82%AC@${host}`, '--only', 'info.object'])).toMatchObject({ code: 0, err: '' })
    const { err: unreachable } = await run(['http://ann:secret@127.0.0.1:1'])
    expect(unreachable).toMatch(/^upkeep contract: http:\/\/127\.0\.0\.1:1 cannot be reached/)
  })

  it('reports as JSON', async () => {
    const { out } = await run([good(), '--only', 'info.object', '--reporter', 'json'])
    expect(JSON.parse(out)).toMatchObject({
      url: good(),
      held: 1,
      broken: 0,
      cases: [{ id: 'info.object', kind: 'held' }],
    })
  })

  it('lists its options', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--base-path <path>') })
  })
})
