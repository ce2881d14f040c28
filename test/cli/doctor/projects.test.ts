import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { unpackPackage } from '../../support/package/packed.ts'
import { doctor, write } from './run-doctor.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const upkeep = JSON.stringify({ name: 'upkeep', version: packed.manifest.version })

/** Links packages as pnpm and workspaces do. */
function link(root: string, links: Readonly<Record<string, string>>): void {
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(root, target), join(root, path))
  }
}

const examine = (folder: string, ...words: readonly string[]) => doctor(folder, words, {}, packed.folder)

it('finds no copies that other members of a monorepo have', async () => {
  const root = packed.emptyFolder()
  write(root, {
    'package.json': '{"private":true,"workspaces":["packages/*"]}',
    'node_modules/upkeep/package.json': upkeep,
    'packages/orders/package.json': '{"name":"orders","dependencies":{"upkeep":"*","express":"5"}}',
    'packages/orders/node_modules/express/package.json': '{"name":"express","version":"5.1.0"}',
    'node_modules/express/package.json': '{"name":"express","version":"3.0.0"}',
    'packages/old/package.json': '{"name":"old","dependencies":{"upkeep":"0.0.9"}}',
    'packages/old/node_modules/upkeep/package.json': '{"name":"upkeep","version":"0.0.9"}',
  })
  link(root, { 'node_modules/orders': 'packages/orders', 'node_modules/old': 'packages/old' })
  expect(await examine(join(root, 'packages/orders'))).toMatchObject({ code: 0 })
  write(root, { 'packages/orders/package.json': '{"name":"orders","dependencies":{"upkeep":"*","old":"*"}}' })
  const { found } = await examine(join(root, 'packages/orders'))
  expect(found('copies')).toEqual([expect.stringMatching(/^there are 2 copies of upkeep: .* 0\.0\.9 in /)])
})

it('finds the copies that packages of pnpm load, and none that only remain in its store', async () => {
  const root = packed.emptyFolder()
  const api = (version: string) => `node_modules/.pnpm/api@${version}/node_modules/@opentelemetry/api`
  const manifest = (version: string) => `{"name":"@opentelemetry/api","version":"${version}"}`
  const sdk = 'node_modules/.pnpm/sdk@1/node_modules'
  write(root, {
    'pnpm-lock.yaml': '',
    'package.json': '{"dependencies":{"upkeep":"*","@opentelemetry/api":"1","sdk":"1"}}',
    'node_modules/.pnpm/upkeep@0/node_modules/upkeep/package.json': upkeep,
    [`${sdk}/sdk/package.json`]: '{"name":"sdk","version":"1.0.0","peerDependencies":{"@opentelemetry/api":"*"}}',
    [`${api('1.9.1')}/package.json`]: manifest('1.9.1'),
    [`${api('1.9.0')}/package.json`]: manifest('1.9.0'),
  })
  link(root, {
    'node_modules/upkeep': 'node_modules/.pnpm/upkeep@0/node_modules/upkeep',
    'node_modules/sdk': `${sdk}/sdk`,
    'node_modules/@opentelemetry/api': api('1.9.1'),
  })
  expect(await examine(root)).toMatchObject({ code: 0 })
  link(root, { [`${sdk}/@opentelemetry/api`]: api('1.9.0') })
  const { found } = await examine(root)
  expect(found('copies')).toEqual([expect.stringMatching(/2 copies of @opentelemetry\/api: .*\npnpm dedupe #/)])
})

it('reports packages that are not installed as not checked', async () => {
  const root = packed.emptyFolder()
  write(root, { 'package.json': '{"dependencies":{"upkeep":"*","express":"5"}}' })
  const { outcomes } = await examine(root)
  for (const check of ['copies', 'versions']) {
    expect(outcomes.find((each) => each.check === check)?.reason).toMatch(/install the dependencies first/)
  }
})

it('installs supported versions with the package manager of the project', async () => {
  const root = packed.emptyFolder()
  write(root, {
    'package.json': '{"dependencies":{"upkeep":"*","next":"14","@nestjs/core":"10"}}',
    'yarn.lock': '',
    'node_modules/upkeep/package.json': upkeep,
    'node_modules/next/package.json': '{"name":"next","version":"14.2.0"}',
    'node_modules/@nestjs/core/package.json': '{"name":"@nestjs/core","version":"10.4.0"}',
  })
  const { found } = await examine(root)
  expect(found('versions')).toEqual([
    expect.stringMatching(/^next 14\.2\.0: upkeep\/next requires from 15\.0\.0.*\nyarn add 'next@\^16'$/),
    expect.stringMatching(/^@nestjs\/core 10\.4\.0: .*\nyarn add '@nestjs\/core@\^12'$/),
  ])
})
