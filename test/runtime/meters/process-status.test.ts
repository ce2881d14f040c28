import { describe, expect, it } from 'vitest'
import { parseProcessStatus } from '../../../src/runtime/meters/process-status.ts'

describe('parseProcessStatus', () => {
  it.each([
    ['Name:\tnode\nVmSize:\t    3896 kB\nVmSwap:\t       1 kB\nThreads:\t11\nSigQ:\t0/1', 11, 3_989_504, 1_024],
    ['Name:\tThreads: 7\nThreads:\t1\n', 1, Number.NaN, Number.NaN],
    ['', Number.NaN, Number.NaN, Number.NaN],
  ])('reads the threads and sizes of %j', (text, threads, virtualMemory, swappedMemory) => {
    expect(parseProcessStatus(text)).toEqual({ threads, virtualMemory, swappedMemory })
  })
})
