import { rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { buildInfo } from '../../../src/management/info/build-info.ts'
import { folderWith } from '../../support/folder-with.ts'

const packageJson = JSON.stringify({ name: 'orders', version: '1.0.0', private: true, time: 'never', artifact: 'x' })
const written = {
  artifact: 'orders-api',
  group: 'example',
  version: '1.4.2',
  time: '2026-01-02T03:04:05Z',
  secret: 'x',
}

describe('buildInfo', () => {
  it.each([
    ['nothing', {}, {}, undefined],
    ['a package.json', { 'package.json': packageJson }, {}, { name: 'orders', version: '1.0.0' }],
    ['a package.json that is none', { 'package.json': '{' }, {}, undefined],
    ['a package.json that is a list', { 'package.json': '["name"]' }, {}, undefined],
    ['a package.json that is null', { 'package.json': 'null' }, {}, undefined],
    ['names that are no texts', { 'package.json': '{"name":1,"version":""}' }, {}, undefined],
    [
      'a build-info.json before a package.json',
      { 'package.json': packageJson, 'build-info.json': JSON.stringify(written) },
      {},
      { artifact: 'orders-api', group: 'example', name: 'orders', version: '1.4.2', time: '2026-01-02T03:04:05Z' },
    ],
    [
      'the environment before both',
      { 'package.json': packageJson, 'build-info.json': JSON.stringify(written) },
      { BUILD_VERSION: '2.0.0', BUILD_TIME: '', BUILD_SECRET: 'x' },
      { artifact: 'orders-api', group: 'example', name: 'orders', version: '2.0.0', time: '2026-01-02T03:04:05Z' },
    ],
    [
      'the environment alone',
      {},
      { BUILD_NAME: 'orders', BUILD_GROUP: 'example' },
      { group: 'example', name: 'orders' },
    ],
  ])('reports %s', async (_, files, environment, build) => {
    const contribute = buildInfo({ directory: await folderWith(files), environment })
    expect(await contribute()).toEqual(build && { build })
  })

  it('reads once', async () => {
    const directory = await folderWith({ 'package.json': packageJson })
    const contribute = buildInfo({ directory, environment: {} })
    const first = await contribute()
    await rm(`${directory}/package.json`)
    expect(await contribute()).toEqual(first)
  })
})
