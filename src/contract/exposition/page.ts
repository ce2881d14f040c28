import { type Dialect, readSample, type Sample, seriesOf } from './sample.ts'

/** Samples with a common TYPE. */
export interface Family {
  readonly name: string
  readonly type: string
  readonly unit: string | undefined
  readonly samples: readonly Sample[]
}

/** The kind of a fault: syntax of a line, typing, grouping, duplicate series or completeness. */
export type FaultKind = 'line' | 'type' | 'group' | 'series' | 'end'

interface Fault {
  readonly kind: FaultKind
  readonly says: string
}

/** A scrape, parsed strictly. */
export interface Page {
  readonly families: ReadonlyMap<string, Family>
  readonly faults: readonly Fault[]
}

/** Further faults are ignored: a page in another format has one per line. */
const maxFaults = 1_000

const textTypes = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
const openMetricsTypes = ['counter', 'gauge', 'histogram', 'summary', 'unknown', 'info', 'stateset', 'gaugehistogram']

/** Suffixes of the sample names of a family. In the text format a counter has its full name. */
const suffixes: Readonly<Record<Dialect, Readonly<Record<string, readonly string[]>>>> = {
  text: { histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] },
  openmetrics: {
    counter: ['_total', '_created'],
    histogram: ['_bucket', '_sum', '_count', '_created'],
    summary: ['', '_sum', '_count', '_created'],
    info: ['_info'],
    gaugehistogram: ['_bucket', '_gsum', '_gcount'],
  },
}

interface OpenFamily {
  readonly name: string
  type: string | undefined
  unit: string | undefined
  hasHelp: boolean
  readonly samples: Sample[]
}

/** Parses a page of either format (Prometheus text 0.0.4, OpenMetrics 1.0) and collects its faults. */
export function readPage(text: string, dialect: Dialect): Page {
  const families = new Map<string, OpenFamily>()
  const faults: Fault[] = []
  const series = new Set<string>()
  let current: OpenFamily | undefined
  const lines = text.split('\n')
  const fault = (kind: FaultKind, at: number, why: string) => {
    if (faults.length < maxFaults) faults.push({ kind, says: `line ${at + 1}, ${JSON.stringify(lines[at])}: ${why}` })
  }

  if (lines.pop() !== '' && text !== '') faults.push({ kind: 'end', says: 'the last line is not terminated' })
  if (dialect === 'openmetrics' && lines.pop() !== '# EOF')
    faults.push({ kind: 'end', says: 'the last line is not # EOF' })

  for (const [at, line] of lines.entries()) {
    if (line.startsWith('#')) describe(at, line)
    else if (line !== '' || dialect === 'openmetrics') sampleAt(at, line)
  }
  return {
    families: new Map(
      [...families].map(([name, { type = 'untyped', unit, samples }]) => [name, { name, type, unit, samples }]),
    ),
    faults,
  }

  function familyNamed(name: string, at: number): OpenFamily {
    const known = families.get(name)
    if (known !== undefined && known !== current) fault('group', at, `the family ${name} is not contiguous`)
    const family = known ?? { name, type: undefined, unit: undefined, hasHelp: false, samples: [] }
    families.set(name, family)
    current = family
    return family
  }

  function describe(at: number, line: string): void {
    const [, keyword, name = '', rest = ''] = /^# (TYPE|HELP|UNIT) ([a-zA-Z_:][\w:]*)(?: (.*))?$/.exec(line) ?? []
    if (keyword === undefined) {
      const isComment = dialect === 'text' && !/^#\s*(TYPE|HELP)\b/.test(line)
      if (!isComment) fault('line', at, 'not a TYPE, HELP or UNIT')
      return
    }
    const family = familyNamed(name, at)
    if (family.samples.length > 0) fault('type', at, 'comes after samples of its family')
    if (keyword === 'TYPE') {
      if (family.type !== undefined) fault('type', at, 'duplicate TYPE')
      if (!(dialect === 'text' ? textTypes : openMetricsTypes).includes(rest)) fault('type', at, `unknown type ${rest}`)
      family.type = rest
    } else if (keyword === 'HELP') {
      if (family.hasHelp) fault('type', at, 'duplicate HELP')
      if (rest.replaceAll(/\\[\\n"]/g, '').includes('\\')) fault('line', at, 'invalid escape sequence')
      family.hasHelp = true
    } else {
      if (!name.endsWith(`_${rest}`)) fault('type', at, `${name} does not end with its unit`)
      family.unit = rest
    }
  }

  function sampleAt(at: number, line: string): void {
    const sample = readSample(line, dialect)
    if (sample === undefined) {
      fault('line', at, 'malformed line')
      return
    }
    const owner = ownerOf(sample.name)
    if (owner === undefined) fault('type', at, 'no preceding TYPE matches')
    const family = familyNamed(owner?.name ?? sample.name, at)
    const id = seriesOf(sample)
    if (series.has(id)) fault('series', at, 'duplicate series')
    series.add(id)
    family.samples.push(sample)
  }

  /** Returns the family whose type allows a sample of this name. */
  function ownerOf(sampleName: string): OpenFamily | undefined {
    for (const suffix of ['', '_bucket', '_sum', '_count', '_total', '_created', '_info', '_gsum', '_gcount']) {
      if (!sampleName.endsWith(suffix)) continue
      const family = families.get(sampleName.slice(0, sampleName.length - suffix.length))
      if (family?.type !== undefined && (suffixes[dialect][family.type] ?? ['']).includes(suffix)) return family
    }
    return undefined
  }
}
