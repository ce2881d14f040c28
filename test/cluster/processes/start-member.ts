import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { type Child, startChild } from '../../support/child.ts'
import { createRawClient } from '../../support/raw-client.ts'

/** A command for a process, or for one of its threads. */
interface MemberCommand {
  readonly command: 'count' | 'define' | 'block' | 'exit' | 'terminate'
  readonly amount?: number
  readonly thread?: number
}

/** A process that is a member of a group, with its threads. */
export interface MemberProcess {
  readonly child: Child
  readonly slot: number
  /** Sends a command; resolves when it is done, or at once for what never is. */
  send(command: MemberCommand): Promise<void>
  /** Returns a scrape. */
  page(query?: string): Promise<string>
  /** Returns the samples of a scrape by name and tags. */
  scrape(query?: string): Promise<Readonly<Record<string, number>>>
}

/** Starts a process that joins the group in a directory. The program may be run by another one, such as `unshare`. */
export async function startMember(
  directory: string,
  { env = {}, runBy = [] }: { readonly env?: NodeJS.ProcessEnv; readonly runBy?: readonly string[] } = {},
): Promise<MemberProcess> {
  const dist = resolve(built('build/node_modules/upkeep/dist/cluster.js'), '..')
  const variables = { ...process.env, UPKEEP_DIST: dist, GROUP_DIRECTORY: directory, ...env }
  const [program = '', ...args] = [...runBy, process.execPath, resolve(import.meta.dirname, 'member.mjs')]
  const child = startChild(program, args, { env: variables })
  const joined = await child.out.line(/^member \d+ at \d+$/)
  const [slot = 0, port = 0] = (joined.match(/\d+/g) ?? []).map(Number)
  const client = createRawClient(port)
  const sent = new Map<string, number>()
  const page = async (query = ''): Promise<string> => {
    const { status, body } = await client({ target: `/management/prometheus${query}` })
    if (status !== 200) throw new Error(`expected a scrape, received ${status}: ${body}`)
    return body
  }
  return {
    child,
    slot,
    async send(command) {
      const nth = (sent.get(command.command) ?? 0) + 1
      sent.set(command.command, nth)
      child.writeInput(`${JSON.stringify(command)}\n`)
      if (command.command === 'exit') await child.ended
      else if (command.command !== 'block' || command.thread !== undefined) {
        await child.out.line(new RegExp(`^${command.command} done$`), nth)
      }
    },
    page,
    async scrape(query) {
      const lines = (await page(query)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      return Object.fromEntries(
        lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
      )
    },
  }
}

/** Starts members of a new group, one after another: their slots are 0, 1, … They end with the test. */
export async function startGroup(
  ...environments: readonly NodeJS.ProcessEnv[]
): Promise<{ readonly directory: string; readonly members: readonly MemberProcess[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'upkeep-cluster-'))
  const members: MemberProcess[] = []
  onTestFinished(async () => {
    for (const { child } of members) await child.kill()
    await rm(directory, { recursive: true, force: true })
  })
  for (const env of environments) members.push(await startMember(directory, { env }))
  return { directory, members }
}
