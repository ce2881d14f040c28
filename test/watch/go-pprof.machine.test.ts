import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { describeProgram } from '../support/describe-program.ts'

const root = resolve(import.meta.dirname, '../..')

describeProgram({ program: 'go', debian: 'golang-go' }, (go) => {
  describe('go tool pprof', () => {
    let child: Child
    let folder: string

    beforeAll(async () => {
      built('build/node_modules/upkeep/dist/node.js')
      folder = await mkdtemp(join(tmpdir(), 'pprof-'))
      // Go builds the tool when it is used for the first time.
      await promisify(execFile)(go, ['tool', 'pprof', '-h']).catch(() => {})
    }, 600_000)
    afterAll(() => rm(folder, { recursive: true, force: true }))
    afterEach(() => child.kill())

    async function start(env: NodeJS.ProcessEnv = {}) {
      child = startChild(process.execPath, ['test/watch/burning-service.mjs'], {
        cwd: root,
        env: { ...process.env, ...env },
      })
      const [, management, watchdog] = (await child.out.line(/^ports /)).split(' ')
      return {
        management: `http://ops:secret@127.0.0.1:${management}/management`,
        watchdog: `http://any:secret@127.0.0.1:${watchdog}/management`,
        async begin(action: string) {
          child.writeInput(`${action}\n`)
          await child.out.line(/^begins /)
        },
      }
    }

    /** Runs the tool; it keeps what it fetches in a folder of its own. */
    async function pprof(...args: readonly string[]) {
      const options = { env: { ...process.env, PPROF_TMPDIR: folder }, maxBuffer: 16_000_000 }
      const { stdout } = await promisify(execFile)(go, ['tool', 'pprof', ...args], options)
      return stdout
    }

    /** Returns the flat values of `-top` by function, in milliseconds or kilobytes. */
    function readTop(text: string): (name: string) => number {
      const units: Readonly<Record<string, number>> = {
        ms: 1,
        s: 1_000,
        mins: 60_000,
        kB: 1,
        MB: 1_024,
        GB: 1_048_576,
        B: 1 / 1_024,
      }
      const rows = [...text.matchAll(/^ *([\d.]+)([a-zA-Z]*) +[\d.]+% +[\d.]+% +\S+ +[\d.]+% +(.+)$/gm)]
      const values = new Map(rows.map(([, value, unit = '', name = '']) => [name, Number(value) * (units[unit] ?? 1)]))
      return (name) => values.get(name) ?? 0
    }

    const ratio = (top: (name: string) => number, one: string, other: string) => top(one) / top(other)
    /** Beside other processes, a function also has the time in which it did not run: some 900 times in 8 s. */
    const isThreeToOne = (value: number) => {
      expect(value).toBeGreaterThan(2)
      expect(value).toBeLessThan(4.5)
    }

    it('shows functions of the main thread and of a worker 3 : 1, idle time apart, as wall time', async () => {
      const { management, begin } = await start()
      await begin('serve')
      const text = await pprof('-top', '-nodecount=200', `${management}/pprof/profile?seconds=8`)
      expect(text).toMatch(/^Type: wall$/m)
      const top = readTop(text)
      isThreeToOne(ratio(top, 'burnThree', 'burnOne'))
      isThreeToOne(ratio(top, 'workThree', 'workOne'))
      expect(text).not.toMatch(/idle|upkeep/)
      // The main thread works 30 of 100 ms.
      const main = top('burnThree') + top('burnOne') + top('handle') + top('blockTheLoop')
      expect(main).toBeLessThan(7_000)
    })

    it('labels samples with their thread', async () => {
      const { management, begin } = await start()
      await begin('serve')
      const tags = await pprof('-tags', `${management}/pprof/profile?seconds=1`)
      expect(tags).toMatch(/thread: Total/)
      expect(tags).toMatch(/: main$/m)
      expect(tags).toMatch(/: worker \d+ crunch$/m)
    })

    it('shows them 3 : 1 in a main thread that never yields', async () => {
      const { watchdog, begin } = await start()
      await begin('forever')
      const text = await pprof('-top', '-nodecount=200', `${watchdog}/pprof/profile?seconds=8`)
      const top = readTop(text)
      isThreeToOne(ratio(top, 'burnThree', 'burnOne'))
      isThreeToOne(ratio(top, 'workThree', 'workOne'))
      // Functions that were inlined before are distinguished from their caller.
      expect(top('handle') + top('forever')).toBeLessThan(0.2 * top('burnOne'))
    })

    it('shows memory 3 : 1', async () => {
      const { management, begin } = await start()
      await begin('allocate')
      for (const kind of ['heap', 'allocs']) {
        const text = await pprof('-top', '-nodecount=200', `${management}/pprof/${kind}?seconds=4`)
        expect(text).toMatch(kind === 'heap' ? /^Type: inuse_space$/m : /^Type: alloc_space$/m)
        isThreeToOne(ratio(readTop(text), 'keepThree', 'keepOne'))
      }
    })

    it('rejects a caller without credentials', async () => {
      const { management } = await start()
      await expect(pprof('-top', `${management.replace('ops:secret@', '')}/pprof/profile?seconds=1`)).rejects.toThrow(
        /401/,
      )
    })
  })
})
