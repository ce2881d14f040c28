import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../support/package/consumer.ts'
import { codeEntries, execute, unpackPackage } from '../support/package/packed.ts'

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

/** Entry points whose types name a package of the application's; its types are not checked with ours. */
const peers: Readonly<Record<string, string>> = {
  'upkeep/fastify': 'fastify',
  'upkeep/hono': 'hono',
  'upkeep/otlp': '@opentelemetry/sdk-metrics',
}
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
    'accepts the declarations of every entry point, without skipLibCheck: %s',
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
