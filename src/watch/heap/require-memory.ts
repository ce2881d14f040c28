import { availableMemory } from '../../base/container-memory.ts'
import { HttpError } from '../../http/errors/http-error.ts'

/**
 * Checks that the memory that is available to the container is a multiple of the used heap.
 *
 * @throws HttpError 409 with the figures.
 */
export function requireMemory(factor: number): void {
  const used = process.getBuiltinModule('node:v8').getHeapStatistics().used_heap_size
  const available = availableMemory()
  const required = factor * used
  if (required <= available) return
  throw new HttpError(
    409,
    `A heap snapshot may need ${factor} times the used heap of ${megabytes(used)}, which is ${megabytes(required)}; ` +
      `${megabytes(available)} are available. Provide more memory, or reduce the option heapdump.factor.`,
    { members: { used_heap: used, factor, required, available } },
  )
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}
