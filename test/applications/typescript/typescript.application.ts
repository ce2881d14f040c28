import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../../support/package/consumer.ts'
import { codeEntries, execute, repository, unpackPackage } from '../../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

/** `module/moduleResolution`, as far as a version has it. */
const modes = ['commonjs/node10', 'node16/node16', 'nodenext/nodenext', 'esnext/bundler', 'preserve/bundler']
const versions: readonly (readonly [version: string, modes: readonly string[]])[] = [
  ['5.4.5', modes],
  ['5.9.3', [...modes, 'node18/node16', 'node20/node16']],
  [
    '7.0.2',
    [...modes, 'node18/node16', 'node20/node16', 'commonjs/bundler'].filter((mode) => !mode.endsWith('/node10')),
  ],
]

/** Entry points of frameworks, whose types name those of the framework; these are not checked with ours. */
const peers: Readonly<Record<string, string>> = { 'upkeep/fastify': 'fastify', 'upkeep/hono': 'hono' }
const alone = codeEntries(packed).filter((entry) => !(entry in peers))

const program = (entries: readonly string[]) => `
${entries.map((entry, at) => `import * as entry${at} from '${entry}'`).join('\n')}
import { createManagement, type Indicator } from 'upkeep'
import { uuidV7 } from 'upkeep/ids'
export const used: readonly object[] = [${entries.map((_, at) => `entry${at}`).join(', ')}]
export const db: Indicator = async () => ({ status: 'UP', details: { rows: 1 } })
export const management = createManagement({ application: { name: 'orders' }, health: { indicators: { db } } })
export const id: string = uuidV7()
// @ts-expect-error the types are not any
createManagement({ application: { name: 1 } })
// @ts-expect-error unknown option
createManagement({ healthy: true })
`

const unaccompanied = createConsumer(packed, ['@types/node'])
const accompanied = createConsumer(packed, ['@types/node', ...Object.values(peers)])

describe.each(versions)('TypeScript %s', (version, known) => {
  const tools = packed.emptyFolder()
  beforeAll(() => {
    writeFileSync(join(tools, 'package.json'), '{"private":true}')
    execute(tools, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `typescript@${version}`)
  }, 240_000)

  const check = (folder: string, mode: string, entries: readonly string[], skipLibCheck: boolean) => {
    const [module = '', moduleResolution = ''] = mode.split('/')
    const files = /^node/.test(module) ? ['esm.mts', 'cjs.cts'] : ['main.ts']
    for (const file of files) writeFileSync(join(folder, file), program(entries))
    const compilerOptions = {
      ...{ module, moduleResolution, skipLibCheck, noEmit: true, strict: true, exactOptionalPropertyTypes: true },
      ...{ esModuleInterop: true, target: 'es2022', lib: ['es2023', 'dom'], types: ['node'] },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    return execute(folder, process.execPath, join(tools, 'node_modules/typescript/bin/tsc'), '-p', '.')
  }

  it.each(known)(
    'accepts the declarations of every entry point with upkeep alone, without skipLibCheck: %s',
    (mode) => {
      expect(check(unaccompanied, mode, alone, false)).toBe('')
    },
    120_000,
  )

  it.each(known)(
    'accepts entry points with the packages that they refer to: %s',
    (mode) => {
      expect(check(accompanied, mode, Object.keys(peers), true)).toBe('')
    },
    120_000,
  )
})

const producing = `
import { type MetricProducer, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics'
import { createManagement } from 'upkeep'
import { createMetricProducer } from 'upkeep/otlp'
declare const exporter: PushMetricExporter
export const producer: MetricProducer = createMetricProducer(createManagement().meters)
export const reader = new PeriodicExportingMetricReader({ exporter, metricProducers: [producer] })
// @ts-expect-error the types of the SDK are not any
export const other: MetricProducer = { collect: () => Promise.resolve(1) }
`

describe('@opentelemetry/sdk-metrics', () => {
  it.each(['2.12.0', '3.1.0'])(
    '%s accepts the types of createMetricProducer',
    (version) => {
      const folder = createConsumer(packed, ['@types/node'])
      const installed = packed.emptyFolder()
      writeFileSync(join(installed, 'package.json'), '{"private":true}')
      const named = [`@opentelemetry/sdk-metrics@${version}`, '@opentelemetry/api@^1.9.1']
      execute(installed, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...named)
      cpSync(join(installed, 'node_modules/@opentelemetry'), join(folder, 'node_modules/@opentelemetry'), {
        recursive: true,
      })
      writeFileSync(join(folder, 'main.mts'), producing)
      const compilerOptions = {
        ...{ module: 'nodenext', skipLibCheck: true, noEmit: true, strict: true, exactOptionalPropertyTypes: true },
        ...{ target: 'es2022', lib: ['es2023'], types: ['node'] },
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.mts'] }))
      expect(execute(folder, process.execPath, join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('')
    },
    120_000,
  )
})
