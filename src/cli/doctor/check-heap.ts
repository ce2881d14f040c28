import { finding, type Outcome, ok } from './outcome.ts'

/** What buffers, stacks, code and the rest of the process need beside the heap, as a share of the container. */
const [minimumRest, recommendedRest] = [0.1, 0.25]

/** Compares the limit of the heap with the memory of the container, in bytes. */
export function checkHeap({ heap, container }: { readonly heap: number; readonly container: number }): Outcome {
  if (heap <= container * (1 - minimumRest)) return ok('heap')
  const recommended = Math.max(1, Math.floor((container * (1 - recommendedRest)) / 2 ** 20))
  return finding(
    'heap',
    `the heap may grow to ${mebibytes(heap)} in ${mebibytes(container)} of memory: the process would be killed before`,
    `NODE_OPTIONS=--max-old-space-size=${recommended}`,
  )
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
