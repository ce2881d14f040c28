import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The bytes of the heap that are in use once what nobody refers to is gone. */
export async function measureLiveHeap(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // What a promise held is let go of in the turn after it settled.
  await new Promise(setImmediate)
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
