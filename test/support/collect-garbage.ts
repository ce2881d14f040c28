import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects, once and at once, what nobody refers to. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}

/** The bytes of the heap that are in use once what nobody refers to is gone. */
export async function measureLiveHeap(): Promise<number> {
  // What a promise held is let go of in the turn after it settled.
  await new Promise(setImmediate)
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}
