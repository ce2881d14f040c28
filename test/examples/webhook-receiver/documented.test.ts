import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../examples/webhook-receiver/settings.ts'
import { knownVariables } from './support/known-variables.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/guides/deploy.md'), 'utf8')
const [, section = ''] = /\n### Settings\n([\s\S]*?)\n### /.exec(page) ?? []
const rows = [...section.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]+)`)? ?\|/gm)].map(
  ([, name = '', fallback]) => [name, fallback] as const,
)

describe('the documentation of the receiver', () => {
  it('lists exactly the settings that exist', () => {
    expect(rows.map(([name]) => name).sort()).toEqual([...knownVariables()].sort())
  })

  it('shows the default of each setting', () => {
    for (const [name, fallback] of rows) {
      expect(readSettings(fallback === undefined ? {} : { [name]: fallback }), name).toEqual(readSettings({}))
    }
    const without = rows.filter(([, fallback]) => fallback === undefined).map(([name]) => name)
    expect(without.sort()).toEqual(['DATABASE_URL', 'MANAGEMENT_TOKEN', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
  })
})
