import { type VitalName, vitalNames } from '../../../console/documents.ts'
import { count } from '../../top/formats.ts'
import { type JsonObject, numberOf, objectOf, objectsIn, textOf, textsIn } from '../../top/top-sample.ts'
import type { Answer } from '../answer.ts'
import { array, describe, int, maximum, maxLength, minimum, oneOf, optional, string } from '../sdk.ts'
import type { Connection } from '../service.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { instant } from './shown-values.ts'

const statistics = ['VALUE', 'COUNT', 'TOTAL_TIME', 'TOTAL', 'MAX', 'ACTIVE_TASKS', 'DURATION'] as const

export const metricsQuery: Tool = serviceTool({
  name: 'metrics_query',
  title: 'Query metrics',
  description:
    'Without a name, lists the meters of a service. With the name of a meter, shows its series now; counts and ' +
    `totals are since the start. With the name of a vital sign, shows its history: ${vitalNames.join(', ')}.`,
  fields: {
    name: optional(string().check(maxLength(200), describe('A meter such as http.server.requests, or a vital sign.'))),
    tags: optional(
      array(string().check(maxLength(300))).check(
        maxLength(10),
        describe('Only series with these tags, as key:value.'),
      ),
    ),
    statistic: optional(oneOf(statistics).check(describe('Only this statistic.'))),
    minutes: optional(
      int().check(
        minimum(1),
        maximum(1_440),
        describe('The window of a history; more than 15 has a value per minute.'),
      ),
    ),
    contains: optional(string().check(maxLength(100), describe('Lists only meters whose name contains this.'))),
  },
  async run(connection, { name, tags = [], statistic, minutes = 15, contains = '' }): Promise<Answer> {
    if (name === undefined) return listMeters(connection, contains)
    const vital = vitalNames.find((each) => each === name)
    if (vital !== undefined) return readHistory(connection, vital, minutes)
    const query = tags.map((tag) => ['tag', tag] as const)
    const path = encodeURIComponent(name)
    const meter = await connection.read(`console/meters/${path}`, { query })
    if (meter !== undefined) return seriesOf(meter, statistic)
    return measurementsOf(
      required(await connection.read(`metrics/${path}`, { query }), connection, 'metrics'),
      statistic,
    )
  },
})

async function listMeters(connection: Connection, contains: string): Promise<Answer> {
  const known = await connection.read('console/meters')
  const lines =
    known !== undefined
      ? objectsIn(known['meters']).map(({ name, kind, unit, description }) =>
          [textOf(name), textOf(kind), textOf(unit), textOf(description)].filter(Boolean).join('; '),
        )
      : textsIn(required(await connection.read('metrics'), connection, 'metrics')['names'])
  const shown = lines.filter((line) => line.toLowerCase().includes(contains.toLowerCase()))
  return { summary: [`${shown.length} of ${lines.length} meters.`], details: shown, narrowBy: 'contains' }
}

async function readHistory(connection: Connection, name: VitalName, minutes: number): Promise<Answer> {
  const query = [['resolution', minutes > 15 ? 'minute' : 'second']] as const
  const history = required(await connection.read('console/history', { query }), connection, 'console')
  const from = (numberOf(history['now']) ?? 0) - minutes * 60_000
  const times = Array.isArray(history['times']) ? history['times'] : []
  const values = objectOf(history['values'])[name]
  const samples = (Array.isArray(values) ? values : [])
    .map((value, at) => ({ at: numberOf(times[at]) ?? 0, value: numberOf(value) }))
    .filter(({ at }) => at >= from)
  const known = samples.flatMap(({ value }) => (value === null ? [] : [value]))
  if (known.length === 0) return { summary: [`${name}: no value in the last ${minutes} minutes.`] }
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length
  const figures = { lowest: Math.min(...known), mean, highest: Math.max(...known), last: known.at(-1) ?? null }
  const shown = Object.entries(figures).map(([title, value]) => `${title} ${count(value)}`)
  return {
    summary: [`${name} in the last ${minutes} minutes, ${known.length} samples: ${shown.join(', ')}.`],
    details: highestOfEach(samples).map(({ at, value }) => `${instant(at)} ${count(value)}`),
    narrowBy: 'minutes',
  }
}

interface Sample {
  readonly at: number
  readonly value: number | null
}

/** Returns at most 60 samples: of each stretch of time the one with the highest value. */
function highestOfEach(samples: readonly Sample[]): readonly Sample[] {
  const size = Math.ceil(samples.length / 60)
  const stretches = Array.from({ length: Math.ceil(samples.length / size) }, (_, at) =>
    samples.slice(at * size, (at + 1) * size),
  )
  return stretches.flatMap((each) => each.toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0)).slice(0, 1))
}

function seriesOf(meter: JsonObject, statistic: string | undefined): Answer {
  const series = objectsIn(meter['series'])
  const text = [textOf(meter['name']), textOf(meter['kind']), textOf(meter['unit']), textOf(meter['description'])]
  const details = series.map(({ tags, values }) => {
    const shown = Object.entries(objectOf(values)).filter(([name]) => statistic === undefined || name === statistic)
    const figures = shown.map(([name, value]) => `${name}=${numberOf(value)}`)
    const names = Object.entries(objectOf(tags)).map(([key, value]) => `${key}:${value}`)
    return `${names.join(' ') || '(no tags)'}  ${figures.join(' ')}`
  })
  const omitted = numberOf(meter['omittedSeries']) ?? 0
  return {
    summary: [text.filter(Boolean).join('; '), `${series.length + omitted} series.`],
    details,
    narrowBy: 'tags or statistic',
  }
}

function measurementsOf(meter: JsonObject, statistic: string | undefined): Answer {
  const wanted = objectsIn(meter['measurements']).filter((each) => [undefined, each['statistic']].includes(statistic))
  const figures = wanted.map((each) => `${textOf(each['statistic'])}=${numberOf(each['value'])}`)
  const tags = objectsIn(meter['availableTags']).map(
    ({ tag, values }) => `${textOf(tag)}: ${textsIn(values).join(', ')}`,
  )
  const text = [textOf(meter['name']), textOf(meter['baseUnit']), textOf(meter['description'])]
  return {
    summary: [text.filter(Boolean).join('; '), figures.join(' ')],
    details: ['Tags by which it can be restricted:', ...tags],
    narrowBy: 'tags',
  }
}
