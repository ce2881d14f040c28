import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, describe, expect, it } from 'vitest'
import { codeEntries, execute, repository, unpackPackage } from '../../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

interface AttwReport {
  readonly analysis: {
    readonly entrypoints: Readonly<Record<string, { readonly resolutions: Readonly<Record<string, AttwResolution>> }>>
  }
  readonly problems?: Readonly<Record<string, readonly { readonly resolutionKind?: string }[]>>
}

interface AttwResolution {
  readonly resolution?: { readonly isTypeScript: boolean }
}

describe('the tarball', () => {
  it('passes publint in strict mode', async () => {
    const bytes = readFileSync(packed.tarball)
    const { messages, pkg } = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
      strict: true,
    })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it('has correct types for every entry point in node10, node16 from ESM and from CommonJS, and in a bundler', () => {
    const attw = join(import.meta.dirname, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const report = execute(repository, process.execPath, attw, packed.tarball, '--format', 'json')
    const { analysis, problems }: AttwReport = JSON.parse(report)
    expect(Object.values(problems ?? {}).flat()).toEqual([])
    for (const entry of codeEntries(packed)) {
      const resolutions = analysis.entrypoints[entry.replace('upkeep', '.')]?.resolutions
      for (const kind of ['node10', 'node16-cjs', 'node16-esm', 'bundler']) {
        expect(resolutions?.[kind]?.resolution?.isTypeScript, `${entry} ${kind}`).toBe(true)
      }
    }
  }, 120_000)
})
