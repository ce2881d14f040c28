import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installLine } from '../../src/otlp/official/peers.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/reference/otlp.md'), 'utf8')
const sources = readdirSync(join(root, 'src/otlp'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  .join('\n')

describe('docs/reference/otlp.md', () => {
  it('lists each variable and each meter', () => {
    const variables = [...sources.matchAll(/'(OTEL_[A-Z_]+)'/g)].map(([, name = '']) => name)
    const meters = [...sources.matchAll(/'(otlp\.[a-z.]+)'/g)].map(([, name = '']) => name)
    expect(variables.length).toBeGreaterThan(10)
    expect(meters.length).toBeGreaterThan(5)
    expect([...variables, ...meters].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('lists the variables of receivers per signal', () => {
    const settings = [...sources.matchAll(/names\('([A-Z_]+)'\)/g)].map(([, name = '']) => name)
    expect(settings).toEqual(expect.arrayContaining(['TIMEOUT', 'COMPRESSION', 'CERTIFICATE']))
    expect(settings.filter((name) => !page.includes(`OTEL_EXPORTER_OTLP_${name}`))).toEqual([])
  })

  it.each(['20.20.2', '24.21.0'])('has the install command for Node %s', (version) => {
    expect(page.split('\n')).toContain(installLine(version))
  })
})
