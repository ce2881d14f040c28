import { movedNames } from './moved-names.ts'

/** A place that has to change. */
export interface Finding {
  /** Beginning with 1. */
  readonly line: number
  /** What has changed. */
  readonly what: string
  /** What to write. */
  readonly instead: string
}

/** Renamed exports, with the entry point that has the new one if the old one was in `upkeep`. */
const renamed: Readonly<Record<string, readonly [now: string, entry: string]>> = {
  answerErrors: ['handleErrors', ''],
  answerClientErrors: ['handleClientErrors', ''],
  answerError: ['errorResponse', 'upkeep/adapter'],
  answerNotFound: ['notFoundResponse', 'upkeep/adapter'],
  discardedFields: ['representationHeaders', 'upkeep/adapter'],
  noteFailure: ['recordError', 'upkeep/adapter'],
  noteRoute: ['setRoute', 'upkeep/adapter'],
  Soon: ['MaybePromise', 'upkeep/adapter'],
}

/** Renamed members and options, where they are written. */
const members: readonly (readonly [pattern: RegExp, now: string])[] = [
  [/\bavailability\.until\b/g, 'availability.addStartupTask'],
  [/\bavailability\.retire\b/g, 'availability.beginShutdown'],
  [/\bavailability\.broken\b/g, 'availability.markBroken'],
  [/\bobservation\.answeredByManagement\b/g, 'observation.excludeFromObservation'],
  [/\bdemandPrecondition\b(?=\s*:)/g, 'requirePrecondition'],
  [/\bbodyDepth\b(?=\s*:)/g, 'maxBodyDepth'],
  [/\bdeepest\b(?=\s*:)/g, 'maxDepth'],
  [/\bupkeep contract\b[^\n]*--lacks\b/g, '--unsupported'],
]

/** `import { a, type B as C } from 'upkeep'`, also of several lines, and `const { a } = require('upkeep')`. */
const imports = /\{([^{}]*)\}\s*(?:from\s*|=\s*(?:require|await import)\(\s*)['"](upkeep(?:\/[\w-]+)?)['"]/g

/** Returns what has to change in a program that was written for version 0.1. */
export function findInCode(text: string): readonly Finding[] {
  const found: Finding[] = []
  const add = (at: number, what: string, instead: string): void => {
    found.push({ line: lineOf(text, at), what, instead })
  }
  for (const { index, 1: names = '', 2: entry = '' } of text.matchAll(imports)) {
    for (const { index: at, 1: name = '' } of names.matchAll(/(?:^|,)\s*(?:type\s+)?(\w+)/g)) {
      const change = changeOf(name, entry)
      if (change === undefined) continue
      const offset = index + 1 + at + names.slice(at).indexOf(name)
      add(offset, `${entry} no longer exports ${name}`, `import { ${change.name} } from '${change.entry}'`)
    }
  }
  for (const { index } of text.matchAll(/['"]upkeep\/instrument['"]/g))
    add(index, 'the entry point upkeep/instrument was renamed', "'upkeep/instrumentation'")
  for (const [pattern, now] of members)
    for (const { index, 0: before } of text.matchAll(pattern)) add(index, `${before} was renamed`, now)
  return found.sort((a, b) => a.line - b.line)
}

function changeOf(name: string, entry: string): { readonly name: string; readonly entry: string } | undefined {
  const [now, place] = Object.hasOwn(renamed, name) ? (renamed[name] ?? []) : []
  if (now !== undefined) return { name: now, entry: entry === 'upkeep' && place ? place : entry }
  const moved = entry === 'upkeep' ? movedNames.get(name) : undefined
  return moved === undefined ? undefined : { name, entry: moved }
}

/** Returns the line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
