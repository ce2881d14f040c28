import { onTestFinished } from 'vitest'

/** Faulty callbacks: a title and the callback. */
export const faultyCallbacks: readonly (readonly [title: string, callback: () => never])[] = [
  [
    'throws',
    () => {
      throw new Error('callback failed')
    },
  ],
  [
    'throws something that cannot be described',
    () => {
      throw Object.create(null)
    },
  ],
  ['rejects', returning(() => Promise.reject(new Error('callback failed')))],
  ['returns a promise', returning(() => Promise.resolve('late'))],
  ['returns a promise that never settles', returning(() => new Promise(() => {}))],
  ['returns a symbol', returning(() => Symbol('wrong'))],
  ['returns a list', returning(() => [1, 2])],
  [
    'returns an object whose properties throw',
    returning(
      () =>
        new Proxy(
          {},
          {
            get(_target, name) {
              throw new Error(`no ${String(name)}`)
            },
            has: () => true,
          },
        ),
    ),
  ],
]

/** The same and `null`, which is ignored where `undefined` is allowed. */
export const faultyCallbacksAndNull = [...faultyCallbacks, ['returns null', returning(() => null)] as const]

function returning(callback: () => unknown): () => never {
  return callback as () => never
}

/** Collects uncaught exceptions and unhandled rejections until the test ends. */
export function collectUncaughtErrors(): { readonly escaped: () => Promise<readonly unknown[]> } {
  const escaped: unknown[] = []
  const collect = (error: unknown) => void escaped.push(error)
  process.on('uncaughtException', collect).on('unhandledRejection', collect)
  onTestFinished(() => void process.off('uncaughtException', collect).off('unhandledRejection', collect))
  return {
    /** Waits two turns of the event loop: Node.js reports a rejection at the end of a turn. */
    async escaped() {
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
      return escaped
    },
  }
}
