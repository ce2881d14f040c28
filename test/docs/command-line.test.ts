import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/reference/command-line.md'), 'utf8')
const program = built('build/node_modules/upkeep/dist/cli.cjs')
const help = (...words: string[]) =>
  execFileSync(process.execPath, [program, ...words, '--help'], { encoding: 'utf8' }).trimEnd()

/** What the page shows, by the words before `--help`. */
const shown = new Map(
  [...page.matchAll(/^```console\n\$ npx upkeep ?(\w*) --help\n(.*?)\n```$/gms)].map(([, words = '', text]) => [
    words,
    text,
  ]),
)
const commands = [...help().matchAll(/^ {2}upkeep (\w+)/gm)].map(([, command = '']) => command)

describe('docs/reference/command-line.md', () => {
  it('shows each command', () => {
    expect(commands.length).toBeGreaterThan(5)
    expect([...shown.keys()].sort()).toEqual(['', ...commands].sort())
  })

  it.each(['', ...commands])('shows what upkeep %s --help prints', (command) => {
    expect(shown.get(command)).toBe(help(...command.split(' ').filter(Boolean)))
  })
})
