import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'

const root = resolve(import.meta.dirname, '../..')

const program = `
import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { shutdownGracefully } from 'upkeep/node'

const server = createServer((_request, response) => response.end())
shutdownGracefully(server, createManagement(), { delay: '1h', report: console.log })
server.listen(0, '127.0.0.1', () => console.log('listening'))
`

describe('a graceful shutdown during development', () => {
  let folder: string
  let file: string
  let child: Child

  beforeAll(() => {
    built('dist/node.js')
    // Below the repository, where 'upkeep' is found.
    folder = mkdtempSync(join(root, 'build', 'development-'))
    file = join(folder, 'service.mjs')
    writeFileSync(file, program)
  })
  afterEach(() => child.kill())
  afterAll(() => rmSync(folder, { recursive: true }))

  it('does not wait for the delay on Ctrl-C in a terminal', async () => {
    child = startChild('script', ['--quiet', '--return', '--command', `exec ${process.execPath} ${file}`, '/dev/null'])
    await child.out.line(/^listening/)
    child.writeInput('\u0003')
    // Behind the terminal’s echo of the Ctrl-C.
    await child.out.line(/shutting down \(SIGINT\): serves for 0ms, exits within 10000ms/)
    expect(await child.ended).toBe(0)
  })

  it('does not wait for the delay when node --watch restarts it', async () => {
    child = startChild(process.execPath, ['--watch', '--no-warnings', file], { cwd: folder })
    await child.out.line(/^listening/)
    // It begins to watch later than the service to run.
    await vi.waitFor(
      () => {
        writeFileSync(file, program)
        expect(child.out.lines).toContain('shutting down (SIGTERM): serves for 0ms, exits within 10000ms')
      },
      { timeout: 60_000, interval: 500 },
    )
    await child.out.line(/^listening/, 2)
    // Killed, it would leave the service behind.
    child.process.kill('SIGTERM')
    await child.ended
  })

  it('waits for the delay on SIGINT without a terminal, as process managers send it', async () => {
    child = startChild(process.execPath, [file])
    await child.out.line(/^listening/)
    child.process.kill('SIGINT')
    await child.out.line(/^shutting down \(SIGINT\): serves for 3600000ms, exits within 3610000ms/)
  })

  it('waits for the delay on SIGTERM in a terminal, which a container may have', async () => {
    const command = `${process.execPath} ${file} & echo "pid $!"; wait`
    child = startChild('script', ['--quiet', '--return', '--command', command, '/dev/null'])
    const pid = Number((await child.out.line(/^pid \d+/)).slice('pid '.length))
    await child.out.line(/^listening/)
    process.kill(pid, 'SIGTERM')
    await child.out.line(/^shutting down \(SIGTERM\): serves for 3600000ms/)
    process.kill(pid, 'SIGKILL')
  })
})
