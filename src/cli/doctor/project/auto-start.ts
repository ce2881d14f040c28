import { closeSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Project } from './installed-packages.ts'

/** That a program is started with `upkeep/auto`, as a file of its project or the environment says. */
export interface AutoStart {
  /** As it is written there: `--import upkeep/auto`. */
  readonly option: string
  /** Where it is written: `package.json (scripts.start)`. */
  readonly place: string
  /** The URL of the installed module; `undefined` if Node loads it by the environment, or it is not installed. */
  readonly url: string | undefined
}

/** A command or a configuration that starts a program. */
export interface StartCommand {
  readonly place: string
  readonly text: string
}

/** Finds out whether a program is started with `upkeep/auto`. */
export function findAutoStart(
  file: string,
  project: Project | undefined,
  { NODE_OPTIONS = '' }: Readonly<Record<string, string | undefined>>,
): AutoStart | undefined {
  const inherited = autoOption(NODE_OPTIONS)
  if (inherited !== undefined) return { option: inherited, place: 'NODE_OPTIONS', url: undefined }
  const found = project && selectAutoStart(file, startCommandsOf(project))
  return found && { ...found, url: resolveAuto(project.folder) }
}

/** Returns the option of the first command with one. Where commands name the file, the others are of other programs. */
export function selectAutoStart(
  file: string,
  commands: readonly StartCommand[],
): Pick<AutoStart, 'option' | 'place'> | undefined {
  const own = commands.filter(({ text }) => wordsOf(text).some((word) => parse(word).name === parse(file).name))
  for (const { place, text } of own.length > 0 ? own : commands) {
    const option = autoOption(text)
    if (option !== undefined) return { option, place }
  }
  return undefined
}

const options = ['--import', '--require', '-r']
const modules = ['js', 'cjs', 'mjs'].map((extension) => `/upkeep/dist/auto.${extension}`)

/** Returns the option that loads `upkeep/auto`, in a command, a list of arguments or a variable. */
function autoOption(text: string): string | undefined {
  const words = wordsOf(text)
  const at = words.findIndex((word, index) => {
    const next = words[index + 1]
    return options.includes(word) && (next === 'upkeep/auto' || modules.some((module) => next?.endsWith(module)))
  })
  return at < 0 ? undefined : `${words[at]} ${words[at + 1]}`
}

/** The words of a shell, of JSON and of literals alike. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[^\s"'`,;=[\](){}\\]+/g) ?? []
}

/** Scripts by which a program is run, `start` first. */
const running = ['start', 'serve', 'prod', 'worker']
const configurations = ['ecosystem.config.js', 'ecosystem.config.cjs', 'ecosystem.config.json']

function startCommandsOf({ folder, scripts }: Project): readonly StartCommand[] {
  const names = running.flatMap((prefix) => Object.keys(scripts).filter((name) => name.startsWith(prefix)))
  return [
    ...names.map((name) => ({ place: `package.json (scripts.${name})`, text: String(scripts[name]) })),
    { place: 'Dockerfile', text: imageCommand(readBeginning(join(folder, 'Dockerfile'))) },
    // Read only: running it might do anything.
    ...configurations.map((place) => ({ place, text: withoutComments(readBeginning(join(folder, place)), '//') })),
  ]
}

const instructions = ['CMD ', 'ENTRYPOINT ', 'ENV ']

/** Returns what the last stage of a Dockerfile runs, with its variables. */
export function imageCommand(text: string): string {
  const lines = withoutComments(text, '#').replaceAll('\r\n', '\n').replaceAll('\\\n', ' ').split('\n')
  const stage = lines.slice(lines.findLastIndex((line) => isInstruction(line, 'FROM ')) + 1)
  return stage.filter((line) => instructions.some((name) => isInstruction(line, name))).join('\n')
}

function isInstruction(line: string, name: string): boolean {
  return line.trimStart().slice(0, name.length).toUpperCase() === name
}

function withoutComments(text: string, mark: string): string {
  const lines = text.split('\n')
  return lines.filter((line) => !line.trimStart().startsWith(mark)).join('\n')
}

const maxBytes = 65_536

/** Returns the beginning of a file; nothing if it cannot be read. */
function readBeginning(path: string): string {
  try {
    const descriptor = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(maxBytes)
      return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, maxBytes, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}

function resolveAuto(folder: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve('upkeep/auto')).href
  } catch {
    return undefined
  }
}
