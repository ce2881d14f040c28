/** A line with a value. */
export interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
  readonly hasTimestamp: boolean
  readonly exemplar: Exemplar | undefined
}

interface Exemplar {
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

export type Dialect = 'text' | 'openmetrics'

const name = /[a-zA-Z_:][\w:]*/y
const labelName = /[a-zA-Z_]\w*/y
/** A quoted value: a backslash must precede a backslash, a quote or an n. */
const labelValue = /"((?:[^"\\\n]|\\[\\"n])*)"/y
const numberText = /[^ ]+/y
const numberForm = /^[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Inf|NaN)$/

/** Parses a line; `undefined` if it is malformed. */
export function readSample(line: string, dialect: Dialect): Sample | undefined {
  const cursor = { line, at: 0 }
  const sampleName = take(cursor, name)?.[0]
  const labels = line[cursor.at] === '{' ? readLabels(cursor) : new Map<string, string>()
  if (sampleName === undefined || labels === undefined) return undefined
  const value = readNumber(cursor)
  if (value === undefined) return undefined
  let hasTimestamp = false
  if (line[cursor.at] === ' ' && line[cursor.at + 1] !== '#') {
    if (readNumber(cursor) === undefined) return undefined
    hasTimestamp = true
  }
  const exemplar = dialect === 'openmetrics' && line.startsWith(' # {', cursor.at) ? readExemplar(cursor) : undefined
  return cursor.at === line.length ? { name: sampleName, labels, value, hasTimestamp, exemplar } : undefined
}

interface Cursor {
  readonly line: string
  at: number
}

function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at
  const match = pattern.exec(cursor.line) ?? undefined
  cursor.at += match?.[0].length ?? 0
  return match
}

/** Parses a label list in braces, without blanks and duplicates. */
function readLabels(cursor: Cursor): ReadonlyMap<string, string> | undefined {
  const labels = new Map<string, string>()
  cursor.at++
  while (cursor.line[cursor.at] !== '}') {
    const label = take(cursor, labelName)?.[0]
    if (label === undefined || labels.has(label) || cursor.line[cursor.at++] !== '=') return undefined
    const value = take(cursor, labelValue)?.[1]
    if (value === undefined) return undefined
    labels.set(
      label,
      value.replaceAll(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped)),
    )
    if (cursor.line[cursor.at] === ',') cursor.at++
    else if (cursor.line[cursor.at] !== '}') return undefined
  }
  cursor.at++
  return labels
}

function readNumber(cursor: Cursor): number | undefined {
  if (cursor.line[cursor.at] !== ' ') return undefined
  cursor.at++
  const text = take(cursor, numberText)?.[0] ?? ''
  return numberForm.test(text) ? Number(text.replace('Inf', 'Infinity')) : undefined
}

function readExemplar(cursor: Cursor): Exemplar | undefined {
  cursor.at += 3
  const labels = readLabels(cursor)
  const value = readNumber(cursor)
  if (labels === undefined || value === undefined) return undefined
  if (cursor.line[cursor.at] === ' ') readNumber(cursor)
  return { labels, value }
}

/** Returns the identity of a series: its name and its sorted labels. */
export function seriesOf({ name, labels }: Pick<Sample, 'name' | 'labels'>, without?: string): string {
  const pairs = [...labels].filter(([label]) => label !== without).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${name}${JSON.stringify(pairs)}`
}
