import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { execute, unpackPackage } from '../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const readme = readFileSync(join(packed.folder, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text = '']) => ({ language, text }))
const [install, application, start, console] = blocks

/** Splits `UPKEEP_TOKEN=secret node …` into variables and words. */
function parseCommand(line: string) {
  const words = line.trim().split(' ')
  const at = words.findIndex((word) => !/^\w+=/.test(word))
  return { env: Object.fromEntries(words.slice(0, at).map((each) => each.split('='))), args: words.slice(at + 1) }
}

/** Runs the commands of a block at other ports. Each prints the lines that the block shows. Returns how many there are. */
function repeatCommands(text = '', ports: Readonly<Record<string, string>>): number {
  const shown = Object.entries(ports).reduce((all, [from, to]) => all.replaceAll(`:${from}/`, `:${to}/`), text)
  const steps = [...shown.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n?)*)/gm)]
  for (const [, command = '', printed = ''] of steps) {
    const out = execFileSync('sh', ['-c', `${command} --silent`], { encoding: 'utf8' })
    for (const line of printed.split('\n')) if (!/^(…|)$/.test(line)) expect(out.split('\n')).toContain(line)
  }
  return steps.length
}

const isListening = (port: string) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )

describe('the README', () => {
  it('shows the start without code first', () => {
    expect([install, application, start, console].map((block) => block?.language)).toEqual([
      'sh',
      'js',
      'sh',
      'console',
    ])
    expect(start?.text).toContain('node --import upkeep/auto app.mjs')
  })

  it('leads from npm install to a scrape with routes of the application, within a minute', async () => {
    const folder = packed.emptyFolder()
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const [npm = '', ...words] = install?.text.trim().split(' ') ?? []
    const packages = words.map((word) => (word === 'upkeep' ? packed.tarball : word))
    execute(folder, npm, ...packages, '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund')
    writeFileSync(join(folder, 'app.mjs'), application?.text ?? '')

    const [port, managementPort] = [String(await freePort()), String(await freePort())]
    const { env, args } = parseCommand(start?.text ?? '')
    const service = startChild(process.execPath, args, {
      cwd: folder,
      // Not the environment of the tests, in which upkeep/auto does nothing.
      env: { PATH: process.env['PATH'], ...env, PORT: port, UPKEEP_PORT: managementPort },
    })
    onTestFinished(() => service.kill())
    await service.err.line(/health at http:\/\/0\.0\.0\.0:/)

    expect(repeatCommands(console?.text, { '3000': port, '8690': managementPort })).toBe(3)

    const at = blocks.findIndex(({ text }) => text.startsWith('// orders.mjs\n'))
    const [program, requests] = blocks.slice(at, at + 2)
    expect(program?.text.split('\n').filter((line) => /^[^/]/.test(line))).toHaveLength(11)
    writeFileSync(join(folder, 'orders.mjs'), program?.text ?? '')
    const codePort = String(await freePort())
    const orders = startChild(process.execPath, ['orders.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PORT: codePort },
    })
    onTestFinished(() => orders.kill())
    await expect.poll(() => isListening(codePort), { timeout: 60_000 }).toBe(true)
    expect(repeatCommands(requests?.text, { '3000': codePort })).toBe(2)
  })
})
