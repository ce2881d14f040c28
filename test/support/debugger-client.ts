import { WebSocket } from 'undici'

/** A debugger that is attached to a process by the inspector protocol. */
interface DebuggerClient {
  /** Sends a command; resolves with its result, or rejects with the error of the protocol. */
  post<Result = unknown>(method: string, params?: object): Promise<Result>
  /** Resolves with the parameters of the next event of this name. */
  next(event: string): Promise<unknown>
  /** The names of all events so far. */
  readonly events: readonly string[]
  close(): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** Attaches to a process: `url` is the one that Node prints with `--inspect`. */
export async function attachDebugger(url: string): Promise<DebuggerClient> {
  const socket = new WebSocket(url)
  const pending = new Map<number, (message: Message) => void>()
  const waiting: { readonly event: string; readonly resolve: (params: unknown) => void }[] = []
  const events: string[] = []
  let lastId = 0

  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data))
    if (message.id !== undefined) pending.get(message.id)?.(message)
    if (message.method === undefined) return
    events.push(message.method)
    for (const { event, resolve } of waiting) if (event === message.method) resolve(message.params)
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)))
  })
  return {
    events,
    post: (method, params = {}) =>
      new Promise((resolve, reject) => {
        lastId += 1
        pending.set(lastId, ({ result, error }) => {
          // Safe: the caller states the result of its command.
          if (error === undefined) resolve(result as never)
          else reject(new Error(error.message))
        })
        socket.send(JSON.stringify({ id: lastId, method, params }))
      }),
    next: (event) => new Promise((resolve) => waiting.push({ event, resolve })),
    close: () => socket.close(),
  }
}
