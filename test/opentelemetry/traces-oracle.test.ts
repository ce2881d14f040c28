import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { traceOnSdk, traceOnUpkeep } from './compared-traces.ts'
import { tracePrograms } from './trace-programs.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/reference/otlp.md'), 'utf8')

describe('spans through the API are those of the official SDK, for', () => {
  it.each(Object.entries(tracePrograms))('%s', async (_name, { program, upkeep = (sdk) => sdk, difference }) => {
    const sdk = await traceOnSdk(program)
    const ours = await traceOnUpkeep(program)
    expect(ours).toEqual(upkeep(sdk))
    if (difference !== undefined) {
      expect(ours).not.toEqual(sdk)
      expect(page).toContain(`| ${difference} |`)
    }
  })
})
