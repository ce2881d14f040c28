import { describe, expect, it, vi } from 'vitest'
import { reportHeapLimit } from '../../src/runtime/heap-limit.ts'

const mebibyte = 2 ** 20

describe('reportHeapLimit', () => {
  it.each([
    [300, 280, 225],
    [300, 400, 225],
    [1_000, 901, 750],
  ])('reports in a container of %d MiB a heap limit of %d MiB, and recommends %d', (container, heap, recommended) => {
    const report = vi.fn()
    reportHeapLimit(report, { container: container * mebibyte, heap: heap * mebibyte })
    expect(report.mock.calls).toEqual([
      [
        `the heap may grow to ${heap} MiB in a container of ${container} MiB, which would be ended before: ` +
          `set --max-old-space-size=${recommended}`,
      ],
    ])
  })

  it.each([
    [1_000, 900],
    [4_096, 2_096],
    [undefined, 4_096],
  ])('reports nothing in a container of %s MiB for a heap limit of %d MiB', (container, heap) => {
    const report = vi.fn()
    const limit = container === undefined ? Number.POSITIVE_INFINITY : container * mebibyte
    reportHeapLimit(report, { container: limit, heap: heap * mebibyte })
    expect(report).not.toHaveBeenCalled()
  })
})
