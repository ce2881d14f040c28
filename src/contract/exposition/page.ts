import { type Dialect, readSample, type Sample, seriesOf } from './sample.ts'

/** Samples that belong together, as their TYPE says. */
export interface Family {
  readonly name: string
  readonly type: string
  readonly unit: string | undefined
  readonly samples: readonly Sample[]
}

/** What a page breaks: how its lines are written, how they are typed and grouped, or that each series stands once. */
export type FaultKind = 'line' | 'type' | 'group' | 'series' | 'end'

export interface Fault {
  readonly kind: FaultKind
  readonly says: string
}

/** A scrape, read strictly. */
export interface Page {
  readonly families: ReadonlyMap<string, Family>
  readonly faults: readonly Fault[]
}

/** Further faults of a page are not noted: a page that is something else has one in each line. */
const maxFaults = 1_000

const textTypes = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
const openMetricsTypes = ['counter', 'gauge', 'histogram', 'summary', 'unknown', 'info', 'stateset', 'gaugehistogram']

/** By what the names of a family's samples end. In the text format a counter bears its whole name. */
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

/** Reads a page of either format (Prometheus text 0.0.4, OpenMetrics 1.0), and notes whatever is not as it should be. */
export function readPage(text: string, dialect: Dialect): Page {
  const families = new Map<string, OpenFamily>()
  const faults: Fault[] = []
  const series = new Set<string>()
  let current: OpenFamily | undefined
  const lines = text.split('\n')
  const fault = (kind: FaultKind, at: number, why: string) => {
    if (faults.length < maxFaults) faults.push({ kind, says: `line ${at + 1}, ${JSON.stringify(lines[at])}: ${why}` })
  }

  if (lines.pop() !== '' && text !== '') faults.push({ kind: 'end', says: 'the last line does not end' })
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
    if (known !== undefined && known !== current) fault('group', at, `the family ${name} stands in two places`)
    const family = known ?? { name, type: undefined, unit: undefined, hasHelp: false, samples: [] }
    families.set(name, family)
    current = family
    return family
  }

  function describe(at: number, line: string): void {
    const [, keyword, name = '', rest = ''] = /^# (TYPE|HELP|UNIT) ([a-zA-Z_:][\w:]*)(?: (.*))?$/.exec(line) ?? []
    if (keyword === undefined) {
      const isComment = dialect === 'text' && !/^#\s*(TYPE|HELP)\b/.test(line)
      if (!isComment) fault('line', at, 'it is no TYPE, HELP or UNIT')
      return
    }
    const family = familyNamed(name, at)
    if (family.samples.length > 0) fault('type', at, 'it stands behind samples of its family')
    if (keyword === 'TYPE') {
      if (family.type !== undefined) fault('type', at, 'its family has a type already')
      if (!(dialect === 'text' ? textTypes : openMetricsTypes).includes(rest)) fault('type', at, `${rest} is no type`)
      family.type = rest
    } else if (keyword === 'HELP') {
      if (family.hasHelp) fault('type', at, 'its family has a help text already')
      if (rest.replaceAll(/\\[\\n"]/g, '').includes('\\')) fault('line', at, 'a backslash stands alone')
      family.hasHelp = true
    } else {
      if (!name.endsWith(`_${rest}`)) fault('type', at, `${name} does not end in its unit`)
      family.unit = rest
    }
  }

  function sampleAt(at: number, line: string): void {
    const sample = readSample(line, dialect)
    if (sample === undefined) {
      fault('line', at, 'it cannot be read')
      return
    }
    const owner = ownerOf(sample.name)
    if (owner === undefined) fault('type', at, 'no TYPE in front of it is its own')
    const family = familyNamed(owner?.name ?? sample.name, at)
    const id = seriesOf(sample)
    if (series.has(id)) fault('series', at, 'the series is there already')
    series.add(id)
    family.samples.push(sample)
  }

  /** The family whose type lets a sample have this name. */
  function ownerOf(sampleName: string): OpenFamily | undefined {
    for (const suffix of ['', '_bucket', '_sum', '_count', '_total', '_created', '_info', '_gsum', '_gcount']) {
      if (!sampleName.endsWith(suffix)) continue
      const family = families.get(sampleName.slice(0, sampleName.length - suffix.length))
      if (family?.type !== undefined && (suffixes[dialect][family.type] ?? ['']).includes(suffix)) return family
    }
    return undefined
  }
}
