import { connectionMeters } from '../../../src/instrumentation/conventions/connection-meters.ts'
import type { MeterTemplate } from '../../../src/instrumentation/conventions/convention.ts'
import { micrometer } from '../../../src/instrumentation/conventions/micrometer.ts'
import { opentelemetry } from '../../../src/instrumentation/conventions/opentelemetry.ts'
import { runtimeDefinitions } from '../../../src/runtime/opentelemetry/runtime-definitions.ts'

/** A meter of OpenTelemetry's conventions, and that of Micrometer that measures the same. */
interface Row {
  readonly area: string
  readonly micrometer: string | undefined
  readonly tags: readonly string[]
  readonly opentelemetry: string
  readonly unit: string
  readonly attributes: readonly string[]
}

const ucum: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By', ratio: '1' }

function unitOf(baseUnit: string): string {
  return ucum[baseUnit] ?? baseUnit
}

function rowOf(area: string, own: Shown, other: Shown): Row {
  return {
    area,
    micrometer: own.name,
    tags: Object.keys(own.tags),
    opentelemetry: other.name,
    unit: unitOf(other.baseUnit ?? 'seconds'),
    attributes: Object.keys(other.tags),
  }
}

type Shown = Pick<MeterTemplate<never>, 'name' | 'baseUnit'> & { readonly tags: object }

/** Every meter that the conventions name differently. */
export const conventionRows: readonly Row[] = [
  rowOf('HTTP server', micrometer.httpServer.requests, opentelemetry.httpServer.requests),
  rowOf('HTTP server', micrometer.httpServer.active, opentelemetry.httpServer.active),
  rowOf('HTTP client', micrometer.httpClient.requests, opentelemetry.httpClient.requests),
  rowOf('databases', micrometer.database.operations, opentelemetry.database.operations),
  ...(['send', 'process', 'sent', 'consumed'] as const).map((meter) =>
    rowOf('messaging', micrometer.messaging[meter], opentelemetry.messaging[meter]),
  ),
  ...Object.entries(connectionMeters).map(([name, { name: other, baseUnit, state }]) => ({
    area: 'pools',
    micrometer: name,
    tags: ['pool'],
    opentelemetry: other,
    unit: unitOf(baseUnit),
    attributes: ['db.client.connection.pool.name', ...(state === undefined ? [] : ['db.client.connection.state'])],
  })),
  ...Object.entries(runtimeDefinitions).map(([name, definition]) => ({
    area: 'runtime',
    micrometer: definition.micrometer,
    tags: [],
    opentelemetry: name,
    unit: unitOf(definition.baseUnit),
    attributes: definition.attribute === undefined ? [] : [definition.attribute],
  })),
]

/** The rows as the table of docs/guides/metrics.md. */
export function drawConventions(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const lines = conventionRows.map((row) => {
    const own = row.micrometer === undefined ? '' : code([row.micrometer])
    const unit = row.unit.startsWith('{') ? code([row.unit]) : row.unit
    const other = code([row.opentelemetry])
    return `| ${row.area} | ${own} | ${code(row.tags)} | ${other} | ${unit} | ${code(row.attributes)} |`
  })
  return ['| area | micrometer | tags | opentelemetry | unit | attributes |', '|---|---|---|---|---|---|', ...lines]
    .map((line) => line.replaceAll('|  |', '| |'))
    .join('\n')
}
