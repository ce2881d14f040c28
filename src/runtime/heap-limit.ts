import { containerLimit } from '../base/container-memory.ts'
import { lazy } from '../base/lazy.ts'
import type { Report } from '../base/report.ts'

const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/** What buffers, stacks, code and the rest of the process need beside the heap, as a share of the container. */
const [minimumRest, recommendedRest] = [0.1, 0.25]

/**
 * Reports a heap limit of V8 that leaves less than a tenth of the container's memory to everything else: the system
 * would end the process before V8 collects garbage or throws. V8's default limit does so in small containers.
 */
export function reportHeapLimit(
  report: Report,
  { container = containerLimit(), heap = v8().getHeapStatistics().heap_size_limit }: HeapLimits = {},
): void {
  if (container === undefined || heap <= container * (1 - minimumRest)) return
  const recommended = Math.floor((container * (1 - recommendedRest)) / 2 ** 20)
  report(
    `the heap may grow to ${megabytes(heap)} in a container of ${megabytes(container)}, which would be ended before: ` +
      `set --max-old-space-size=${recommended}`,
  )
}

/** Limits in bytes. */
interface HeapLimits {
  /** `undefined` without a limit. @default that of the process */
  readonly container?: number | undefined
  /** @default that of V8 */
  readonly heap?: number
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
