import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createTraceIds, uuidV4 } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'
import { describeWith, missingProgram } from '../support/describe-with.ts'
import { findProgram } from '../support/programs.ts'

const mebibyte = 2 ** 20

const tools = 'rngtest and ent'
const installed = findProgram('rngtest') && findProgram('ent')

describeWith(tools, missingProgram(tools, installed, 'apt-get install rng-tools5 ent'), () => {
  describe.each([
    ['node:crypto itself', () => randomBytes(mebibyte)],
    ['the 122 random bits of version 4 UUIDs', () => randomBitsOfV4()],
    ['trace ids', () => bytesOf(createTraceIds().traceId)],
    ['span ids', () => bytesOf(createTraceIds().spanId)],
  ])('a mebibyte of %s', (_, make) => {
    const bytes = make()

    it('is available', () => {
      expect(bytes).toHaveLength(mebibyte)
    })

    it('passes the FIPS 140-2 tests of rngtest', () => {
      const { stderr } = spawnSync('rngtest', { input: bytes, encoding: 'utf8' })
      const [, successes, failures] = /successes: (\d+)[\s\S]*?failures: (\d+)/.exec(stderr) ?? []
      expect(Number(successes) + Number(failures)).toBe(419)
      // One block of random bits in some 1,250 fails: six of 419 would by chance once in two million runs.
      expect(Number(failures), stderr).toBeLessThan(6)
    })

    it('passes the measures of ent, within six standard deviations', () => {
      const { stdout } = spawnSync('ent', ['-t'], { input: bytes, encoding: 'utf8' })
      const [, size, entropy, chiSquare, mean, , correlation] = stdout.split('\n')[1]?.split(',').map(Number) ?? []
      expect(size).toBe(mebibyte)
      expect(entropy).toBeGreaterThan(7.9997)
      expect(Math.abs(Number(chiSquare) - 255)).toBeLessThan(6 * Math.sqrt(2 * 255))
      expect(Math.abs(Number(mean) - 127.5)).toBeLessThan((6 * 73.9) / 1024)
      expect(Math.abs(Number(correlation))).toBeLessThan(6 / 1024)
    })
  })
})

/** Version and variant left out, the rest strung together bit by bit. */
function randomBitsOfV4(): Buffer {
  const bits: string[] = []
  for (let count = 0; count < (mebibyte * 8) / 122 + 1; count += 1) {
    const digits = uuidV4().replaceAll('-', '')
    for (const [index, digit] of [...digits].entries()) {
      const four = Number.parseInt(digit, 16).toString(2).padStart(4, '0')
      if (index !== 12) bits.push(index === 16 ? four.slice(2) : four)
    }
  }
  const all = bits.join('')
  return Buffer.from(Array.from({ length: mebibyte }, (_, at) => Number.parseInt(all.slice(at * 8, at * 8 + 8), 2)))
}

function bytesOf(make: () => string): Buffer {
  const ids: string[] = []
  for (let length = 0; length < mebibyte * 2; length += ids.at(-1)?.length ?? 0) ids.push(make())
  return Buffer.from(ids.join(''), 'hex')
}
