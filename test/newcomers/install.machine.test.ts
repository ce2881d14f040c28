import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { execute, unpackPackage } from '../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

// Needs a registry of npm.
describe('npm', () => {
  it.each([
    [['@opentelemetry/sdk-node@0.222.0']],
    [['@opentelemetry/sdk-node@0.203.0', 'fastify@4', 'hono@3', 'pino@8']],
    [['@opentelemetry/sdk-node@0.57.2']],
    [['@sentry/node@8']],
    [['@sentry/node@9']],
    [['applicationinsights@3']],
  ])('A1: resolves the package beside %j, in one installation', (beside) => {
    const folder = packed.emptyFolder()
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
    execute(folder, 'npm', 'install', ...flags, ...beside, packed.tarball)
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    expect(packages['node_modules/upkeep']).toMatchObject({ version: packed.manifest.version })
    for (const each of beside) expect(packages).toHaveProperty([`node_modules/${each.replace(/(?<=.)@.*/, '')}`])
  })
})
