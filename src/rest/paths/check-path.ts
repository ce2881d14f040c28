import { requireKnownOptions } from '../../base/known-options.ts'
import { crudVerbOf, isNamedAsThing, numberOf } from './words.ts'

/**
 * The kind of a resource: a single document, a collection (URLs chosen by the server), a store (URLs chosen by the
 * client), or an action (controller).
 */
export type Archetype = 'document' | 'collection' | 'store' | 'controller'

/** The name of a rule that `checkPath` checks. */
export type PathRule =
  | 'trailing-slash'
  | 'empty-segment'
  | 'underscore'
  | 'file-extension'
  | 'upper-case'
  | 'characters'
  | 'crud-verb'
  | 'version'
  | 'repeated-variable'
  | 'plural'
  | 'singular'
  | 'verb'

/** A rule that a path breaks. */
export interface BrokenRule {
  readonly rule: PathRule
  /** The offending segment, where there is one. */
  readonly segment?: string
  readonly reason: string
}

/** Options of `checkPath`. */
export interface CheckPathOptions {
  /** The archetype of the last segment. @default unknown; number and verbs of the last segment are not checked */
  readonly archetype?: Archetype | undefined
}

/**
 * Checks a path against the naming rules and returns the broken rules with their reasons. Variable segments are written
 * `{order}` or `:order`; the segment before one names a collection or a store, and so is a plural noun. Number is
 * judged by the form of English nouns.
 */
export function checkPath(path: string, options: CheckPathOptions = {}): readonly BrokenRule[] {
  requireKnownOptions('checkPath', options, ['archetype'], { foreignNames: { kind: 'archetype', type: 'archetype' } })
  const { archetype } = options
  const inner = path.replace(/^\//, '')
  const segments = inner === '' ? [] : inner.replace(/\/$/, '').split('/')
  const isEmpty = segments.includes('')
  return [
    ...(inner.endsWith('/') || (path !== '/' && path.endsWith('//'))
      ? [{ rule: 'trailing-slash', reason: 'A path has no trailing slash.' } as const]
      : []),
    ...(isEmpty ? [{ rule: 'empty-segment', reason: 'A path has no empty segments.' } as const] : []),
    ...segments.flatMap((segment, at) => {
      if (segment === '') return []
      if (isVariable(segment)) return checkVariable(segments, at)
      const kind =
        at === segments.length - 1 ? archetype : isVariable(segments[at + 1] ?? '') ? 'collection' : undefined
      return [...checkCharacters(segment), ...checkWords(segment, kind)]
    }),
  ]
}

function isVariable(segment: string): boolean {
  return /^(\{.*\}|:.+)$/.test(segment)
}

function checkVariable(segments: readonly string[], at: number): readonly BrokenRule[] {
  const segment = segments[at] ?? ''
  if (segments.indexOf(segment) === at) return []
  return [{ rule: 'repeated-variable', segment, reason: 'A variable matches a whole segment, and its name is unique.' }]
}

function checkCharacters(segment: string): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const add = (rule: PathRule, reason: string) => broken.push({ rule, segment, reason })
  if (segment.includes('_')) add('underscore', 'Words are joined by hyphens.')
  if (/[A-Z]/.test(segment)) add('upper-case', 'Letters are lowercase.')
  if (/[^.]\.[A-Za-z]\w*$/.test(segment)) add('file-extension', 'The format is expressed by the media type.')
  else if (/[^a-zA-Z0-9_-]/.test(segment))
    add('characters', 'A segment consists of lowercase letters, digits and hyphens.')
  if (/^-|--|-$/.test(segment)) add('characters', 'A hyphen stands between two words.')
  return broken
}

function checkWords(segment: string, archetype: Archetype | undefined): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const add = (rule: PathRule, reason: string) => broken.push({ rule, segment, reason })
  const verb = crudVerbOf(segment)
  if (verb !== undefined) add('crud-verb', `The verb "${verb}" is expressed by the method.`)
  if (/^v\d+(\.\d+)*$/i.test(segment)) add('version', 'The version is expressed by the media type.')
  const number = verb === undefined ? numberOf(segment) : 'either'
  if ((archetype === 'collection' || archetype === 'store') && number === 'singular') {
    add('plural', `A ${archetype} is named by a plural noun.`)
  }
  if (archetype === 'document' && number === 'plural') add('singular', 'A document is named by a singular noun.')
  if (archetype === 'controller' && isNamedAsThing(segment)) add('verb', 'A controller is named by a verb.')
  return broken
}
