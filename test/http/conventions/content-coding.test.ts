import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { gzipped, preferredCoding } from '../../../src/http/conventions/content-coding.ts'

describe('preferredCoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['br', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    [['br', 'gzip;q=0.5'], 'gzip'],
    [`${'br,'.repeat(31)}${' '.repeat(256)}gzip`, 'gzip'],
    [`${'br,'.repeat(32)}${' '.repeat(256)}gzip`, 'identity'],
  ])('for the field %.40j is %s', (accepted, coding) => {
    expect(preferredCoding({ 'accept-encoding': accepted })).toBe(coding)
  })
})

describe('gzipped', () => {
  it('compresses the chunks', async () => {
    async function* words() {
      yield Buffer.from('one ')
      yield Buffer.from('two')
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of gzipped(words())) chunks.push(chunk)
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe('one two')
  })

  it('ends the content when its reader stops', async () => {
    let hasEnded: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve
    })
    const incompressible = randomBytes(65_536)
    async function* endless() {
      try {
        for (;;) yield incompressible
      } finally {
        hasEnded()
      }
    }
    const chunks = gzipped(endless())[Symbol.asyncIterator]()
    expect((await chunks.next()).done).toBeFalsy()
    expect(await chunks.return?.()).toEqual({ done: true, value: undefined })
    await ended
  })
})
