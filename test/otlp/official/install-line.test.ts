import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { installLine } from '../../../src/otlp/official/peers.ts'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
const packagesIn = (line: string) =>
  line
    .replace('npm install ', '')
    .split(' ')
    .map((each) => [each.slice(0, each.lastIndexOf('@')), each.slice(each.lastIndexOf('@') + 1)] as const)

describe('installLine', () => {
  it.each([
    ['20.20.2', '1.9.1'],
    ['22.14.0', '1.9.1'],
    ['22.15.0', '1.10.0'],
    ['24.0.0', '1.10.0'],
  ])('on Node %s installs the line of api %s', (node, api) => {
    expect(packagesIn(installLine(node))[0]).toEqual(['@opentelemetry/api', api])
  })

  it('includes all packages, and on Node 20 the versions of the tests', () => {
    const named = packagesIn(installLine('20.20.2'))
    const loaded = readFileSync(new URL('../../../src/otlp/official/peers.ts', import.meta.url), 'utf8')
    const names = new Set([...loaded.matchAll(/import\('(@opentelemetry\/[\w-]+)'\)/g)].map(([, name]) => name))
    // In place of the base package, which is not there on the other line.
    names.delete('@opentelemetry/sdk-trace-base')
    expect(named.map(([name]) => name).sort()).toEqual([...names].sort())
    for (const [name, version] of named) expect(manifest.devDependencies[name], name).toBe(version)
  })
})
