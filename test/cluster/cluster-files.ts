import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { Group, type JoinOptions } from '../../src/cluster/files/group-files.ts'
import type { MemberFile } from '../../src/cluster/files/member-file.ts'
import type { SeriesDefinition } from '../../src/cluster/series-definition.ts'
import { accepting, addCells } from './merge-cells.ts'

/** Returns the path of a directory that does not exist, in one that is removed after the test. */
export function newDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), 'upkeep-cluster-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'group')
}

export function openTestGroup(directory: string, options: Partial<ConstructorParameters<typeof Group>[0]> = {}): Group {
  const report = (message: string, cause: unknown) => {
    throw new Error(message, { cause })
  }
  return new Group({ directory, clock: systemClock, report, settleSeconds: 0, ...options })
}

export function joinGroup(group: Group, options: Partial<JoinOptions> = {}): MemberFile {
  const member = group.join({ application: 'orders', version: '1.0', state: accepting, merge: addCells, ...options })
  onTestFinished(() => {
    try {
      member.leave(accepting)
    } catch {
      // Its directory is gone.
    }
  })
  return member
}

export function counter(name: string, tags: readonly { key: string; value: string }[] = []): SeriesDefinition {
  return { kind: 'counter', id: { name, tags, description: undefined, baseUnit: undefined }, created: 1 }
}

/** Bundles `file-program.ts` once, and returns its path, which all users can read. */
export async function bundleProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-program-'))
  const outfile = join(folder, 'program.mjs')
  const entry = join(import.meta.dirname, 'file-program.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  chmodSync(folder, 0o755)
  afterAll(() => rmSync(folder, { recursive: true }))
  return outfile
}
