import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** A field of a decoded message: its name and a scalar as protoc prints it, or a message. */
export interface DecodedField {
  readonly name: string
  readonly value: string | readonly DecodedField[]
}

/** A message type: the folder of its `.proto` files, the file and the full name. */
export interface MessageType {
  readonly root: string
  readonly file: string
  readonly name: string
}

const repository = resolve(import.meta.dirname, '../../..')
const otlp = (signal: string, request: string): MessageType => ({
  root: resolve(repository, 'node_modules/@elastic/mockotlpserver'),
  file: `opentelemetry/proto/collector/${signal}/v1/${signal}_service.proto`,
  name: `opentelemetry.proto.collector.${signal}.v1.${request}`,
})

/** The requests of OTLP, by the last part of their path. */
export const otlpRequests: Readonly<Record<string, MessageType>> = {
  traces: otlp('trace', 'ExportTraceServiceRequest'),
  metrics: otlp('metrics', 'ExportMetricsServiceRequest'),
  logs: otlp('logs', 'ExportLogsServiceRequest'),
}

/** A message of a page of Prometheus. */
export const metricFamily: MessageType = {
  root: resolve(repository, 'test/vectors/client-model'),
  file: 'metrics.proto',
  name: 'io.prometheus.client.MetricFamily',
}

/** Decodes a message by `protoc --decode`. Throws if it is broken, or has a field that its type does not have. */
export function decodeByProtoc({ root, file, name }: MessageType, message: Uint8Array): readonly DecodedField[] {
  const args = ['-I', root, `--decode=${name}`, file]
  const { status, stdout, stderr, error } = spawnSync('protoc', args, { input: message, encoding: 'utf8' })
  if (error !== undefined) throw new Error('protoc is not installed: run bash .ci/interop', { cause: error })
  if (status !== 0) throw new Error(`protoc --decode=${name}: ${stderr}`)
  return parseText(stdout)
}

/** Splits a page of messages, each after its length as a varint. */
export function splitDelimited(page: Uint8Array): readonly Uint8Array[] {
  const messages: Uint8Array[] = []
  for (let at = 0; at < page.length; ) {
    let length = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = page[at++]
      if (byte === undefined) throw new Error('a length is incomplete')
      length += (byte & 127) * shift
      if (byte < 128) break
    }
    if (at + length > page.length) throw new Error('a message is incomplete')
    messages.push(page.subarray(at, at + length))
    at += length
  }
  return messages
}

/** Parses the text format, as protoc prints it: one field a line. */
function parseText(text: string): readonly DecodedField[] {
  const open: DecodedField[][] = [[]]
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    if (line === '}') {
      open.pop()
      continue
    }
    const [, name = '', value] = /^(\w+)(?: \{|: (.*))$/.exec(line) ?? []
    // The number of a field that the type does not have.
    if (name === '' || /^\d/.test(name)) throw new Error(`unknown field: ${line}`)
    const fields: DecodedField[] = []
    open.at(-1)?.push({ name, value: value ?? fields })
    if (value === undefined) open.push(fields)
  }
  return open[0] ?? []
}

/**
 * Returns the scalars of a message, each with its path, in order. An item of a list is named by its key, name or body,
 * and otherwise by its position if there are several.
 */
export function leavesOf(fields: readonly DecodedField[], path = ''): readonly string[] {
  return fields.flatMap(({ name, value }, at) => {
    const here = path === '' ? name : `${path}.${name}`
    const same = fields.filter((each) => each.name === name)
    if (typeof value === 'string') {
      return `${here}${same.length > 1 ? `[${same.indexOf(fields[at] as DecodedField)}]` : ''}: ${value}`
    }
    const label = nameOf(value) ?? (same.length > 1 ? `${same.indexOf(fields[at] as DecodedField)}` : undefined)
    const inner = label === undefined ? here : `${here}[${label}]`
    return value.length === 0 ? `${inner}: {}` : leavesOf(value, inner)
  })
}

function nameOf(fields: readonly DecodedField[]): string | undefined {
  for (const { name, value } of fields) {
    if (typeof value === 'string' && (name === 'key' || name === 'name')) return value.slice(1, -1)
  }
  return undefined
}
