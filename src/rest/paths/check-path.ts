import { crudVerbOf, isNamedAsThing, numberOf } from './words.ts'

/** What a resource is: one thing; many, whose addresses the server or the client chooses; or something to be done. */
export type Archetype = 'document' | 'collection' | 'store' | 'controller'

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

/** A rule of paths that one breaks. */
export interface BrokenRule {
  readonly rule: PathRule
  /** The segment that breaks it, where it is one. */
  readonly segment?: string
  readonly reason: string
}

export interface CheckPathOptions {
  /** What is at the end of the path. @default not known: number and verb of the last segment are not judged */
  readonly archetype?: Archetype | undefined
}

/**
 * The rules that a path breaks, each with its reason. A variable segment is written `{order}` or `:order`; what stands
 * before one is a collection or a store, and so a plural noun. Number is judged by the form of English nouns.
 */
export function checkPath(path: string, { archetype }: CheckPathOptions = {}): readonly BrokenRule[] {
  const inner = path.replace(/^\//, '')
  const segments = inner === '' ? [] : inner.replace(/\/$/, '').split('/')
  const isEmpty = segments.includes('')
  return [
    ...(inner.endsWith('/') || (path !== '/' && path.endsWith('//'))
      ? [{ rule: 'trailing-slash', reason: 'A path ends without a slash.' } as const]
      : []),
    ...(isEmpty ? [{ rule: 'empty-segment', reason: 'There is nothing between two slashes.' } as const] : []),
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
  return [{ rule: 'repeated-variable', segment, reason: 'A variable part stands for one value, and is there once.' }]
}

function checkCharacters(segment: string): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const add = (rule: PathRule, reason: string) => broken.push({ rule, segment, reason })
  if (segment.includes('_')) add('underscore', 'Words are joined by hyphens.')
  if (/[A-Z]/.test(segment)) add('upper-case', 'Letters are lower-case.')
  if (/[^.]\.[A-Za-z]\w*$/.test(segment)) add('file-extension', 'The media type says the format.')
  else if (/[^a-zA-Z0-9_-]/.test(segment)) add('characters', 'A segment is of lower-case letters, digits and hyphens.')
  if (/^-|--|-$/.test(segment)) add('characters', 'A hyphen stands between two words.')
  return broken
}

function checkWords(segment: string, archetype: Archetype | undefined): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const add = (rule: PathRule, reason: string) => broken.push({ rule, segment, reason })
  const verb = crudVerbOf(segment)
  if (verb !== undefined) add('crud-verb', `The method says "${verb}".`)
  if (/^v\d+(\.\d+)*$/i.test(segment)) add('version', 'A path carries no version: the media type does.')
  const number = verb === undefined ? numberOf(segment) : 'either'
  if ((archetype === 'collection' || archetype === 'store') && number === 'singular') {
    add('plural', `A ${archetype} is named by a plural noun.`)
  }
  if (archetype === 'document' && number === 'plural') add('singular', 'A document is named by a singular noun.')
  if (archetype === 'controller' && isNamedAsThing(segment)) add('verb', 'A controller is named by a verb.')
  return broken
}
