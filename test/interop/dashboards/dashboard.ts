import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A public dashboard of Grafana. */
export interface Dashboard {
  readonly id: number
  readonly title: string
  readonly variables: readonly Variable[]
  readonly panels: readonly {
    readonly panel: string
    /** Whether it shows what only a JVM or a servlet container has. */
    readonly inside: boolean
    readonly queries: readonly string[]
  }[]
}

interface Variable {
  readonly name: string
  /** A `label_values` of Grafana. */
  readonly query: string
  /** Whether all values are used, as a regular expression. */
  readonly multiple: boolean
}

/** One sample of an instant vector. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

/** Evaluates a query of PromQL. */
export type Evaluate = (query: string) => Promise<readonly Sample[]>

/** Returns the public dashboards, as they were published. */
export function readDashboards(): readonly Dashboard[] {
  const file = resolve(import.meta.dirname, '../../vectors/dashboards.json')
  return JSON.parse(readFileSync(file, 'utf8')).dashboards
}

/**
 * Returns the queries of a dashboard, of panels that any runtime can fill, that have no value but NaN: as
 * `<id> <panel>, query <number>`. Its variables are filled as Grafana does.
 */
export async function emptyQueries(
  { id, variables, panels }: Dashboard,
  evaluate: Evaluate,
): Promise<readonly string[]> {
  const values = await fillVariables(variables, evaluate)
  const empty: string[] = []
  for (const { panel, inside, queries } of panels) {
    for (const [at, query] of inside ? [] : queries.entries()) {
      const samples = await evaluate(insert(query, values))
      if (!samples.some(({ value }) => !Number.isNaN(value))) empty.push(`${id} ${panel}, query ${at + 1}`)
    }
  }
  return empty
}

/** Fills each variable with the values of its label, which may depend on the variables before it. */
async function fillVariables(variables: readonly Variable[], evaluate: Evaluate): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>()
  for (const { name, query, multiple } of variables) {
    const [, metric, label = ''] = /^label_values\((?:(.*),\s*)?(\w+)\)$/.exec(query) ?? []
    const selected = metric === undefined ? `{${label}!=""}` : insert(metric, values)
    const found = (await evaluate(`count by (${label}) (${selected})`)).map(({ metric }) => metric[label] ?? '')
    values.set(name, (multiple ? found.join('|') : found[0]) ?? '')
  }
  return values
}

function insert(query: string, values: ReadonlyMap<string, string>): string {
  return query.replace(/\$(\w+)/g, (_, name: string) => (name === '__rate_interval' ? '30s' : (values.get(name) ?? '')))
}
