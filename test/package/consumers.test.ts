import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../support/package/consumer.ts'
import { execute, packPackage, repository } from '../support/package/packed.ts'

const packed = packPackage()
afterAll(packed.remove)

const core = `
import { createManagement, HttpError, type Indicator, type ManagementResponse } from 'upkeep'
export const db: Indicator = async () => ({ status: 'UP', details: { rows: 1 } })
export const management = createManagement({ application: { name: 'orders', version: '1.4.2' }, health: { indicators: { db } } })
export const answer: Promise<ManagementResponse | undefined> = Promise.resolve(
  management({ method: 'GET', target: '/management/health', headers: {}, base: '', body: () => ({ kind: 'parsed', value: 1 }) }),
)
export const missing: Error = new HttpError(404, 'There is no such order.')
// @ts-expect-error a name is text
createManagement({ application: { name: 1 } })
// @ts-expect-error there is no such option
createManagement({ application: { name: 'orders' }, healthy: true })
// @ts-expect-error a status is a number
new HttpError('404', 'There is no such order.')
`

const node = `${core}
import { createServer } from 'node:http'
import { manage } from 'upkeep/node'
export const server = createServer(manage(management))
import { adapterConformance, contract, type ContractCase } from 'upkeep/contract'
export const cases: readonly ContractCase[] = contract({ baseUrl: 'http://127.0.0.1', only: ['health'] })
export const kit = adapterConformance({
  start: ({ options }) => ({ port: 1, management: createManagement(options), close: () => undefined }),
})
// @ts-expect-error an address is text
contract({ baseUrl: 1 })
// @ts-expect-error a management is no text
manage('management')
`

const express = `${node}
import express from 'express'
import { answerErrors, manage as manageExpress } from 'upkeep/express'
export const app = express()
app.use(manageExpress(management))
app.use('/ops', manageExpress(management))
app.use(answerErrors())
// @ts-expect-error a management is no text
manageExpress('management')
// @ts-expect-error express takes no text for middleware either: its types are here
app.use(1)
`

const koa = `${node}
import Koa from 'koa'
import { answerErrors, manage as manageKoa } from 'upkeep/koa'
export const app = new Koa()
app.use(answerErrors())
app.use(manageKoa(management))
// @ts-expect-error a management is no text
manageKoa('management')
// @ts-expect-error koa takes no text for middleware either: its types are here
app.use('text')
`

type Resolution = 'node16' | 'nodenext' | 'bundler'

/** What TypeScript says of a strict project of this one source, as an ES module and as CommonJS where both exist. */
function complaints(source: string, resolution: Resolution, packages: readonly string[]): string {
  const folder = createConsumer(packed, ['@types/node', ...packages])
  const files = resolution === 'bundler' ? ['bundled.ts'] : ['esm.mts', 'cjs.cts']
  for (const file of files) writeFileSync(join(folder, file), source)
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    esModuleInterop: true,
    skipLibCheck: false,
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  try {
    return execute(folder, process.execPath, join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.')
  } catch (error) {
    return String(error)
  }
}

describe('a strict TypeScript consumer', () => {
  // Most of the time goes to the declarations of Node and of TypeScript itself, so each way of resolving comes up, but not
  // with each framework.
  it.each<readonly [string, Resolution, string, readonly string[]]>([
    ['Node alone', 'node16', node, []],
    ['Express', 'nodenext', express, ['express', '@types/express']],
    ['Express', 'bundler', express, ['express', '@types/express']],
    ['Koa', 'node16', koa, ['koa', '@types/koa']],
  ])(
    'type-checks against every declaration: %s in %s',
    (_, resolution, source, packages) => {
      expect(complaints(source, resolution, packages)).toBe('')
    },
    120_000,
  )
})
