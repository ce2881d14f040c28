import type { Clock } from '../../base/clock.ts'
import { nextTurn } from '../../base/timers.ts'
import type { Exporting, QueuedExport } from '../exporters.ts'
import type { QueueSettings } from '../settings/signal-settings.ts'
import { createDelivery, type RefusalHint, type Sender } from './delivery.ts'
import type { Signal } from './export-meters.ts'
import { FlushWindow } from './flush-window.ts'
import { itemNames } from './loss-report.ts'
import type { RequestBody } from './receiver-client.ts'

interface BatchExportOptions<T> {
  readonly signal: Signal
  readonly queue: QueueSettings
  /** Encodes items as a request, without blocking the event loop for long. */
  readonly encode: (items: readonly T[], clock: Clock) => Promise<readonly Uint8Array[]>
  readonly sender: Sender<RequestBody>
  readonly hint: RefusalHint
  /** Timeout of one request. */
  readonly timeoutMilliseconds: number
  readonly exporting: Exporting
}

/** The export of single items, such as spans, in batches. */
export interface BatchExport<T> extends QueuedExport {
  /** Queues an item, or drops and counts it if the queue is full. Never throws. */
  add(item: T): void
}

interface Batch extends RequestBody {
  readonly count: number
  readonly bytes: number
}

/** A request has more items than start an export only while it stays below this size: receivers limit it. */
const maxRequestBytes = 4e6

/**
 * Exports items in batches. Encoded batches wait for a receiver that is away, up to a number of bytes: then the oldest
 * one is dropped and counted.
 */
export function createBatchExport<T>(options: BatchExportOptions<T>): BatchExport<T> {
  const { signal, encode, sender, exporting } = options
  const { maximumQueueSize, maximumQueueBytes, maximumBatchSize, readySize, delayMilliseconds } = options.queue
  const { meters, losses, clock } = exporting
  const window = exporting.onlyOnFlush ? new FlushWindow(clock) : undefined
  const delivery = createDelivery<Batch>({
    ...exporting,
    signal,
    sender,
    hint: options.hint,
    count: ({ count }) => count,
    timeoutMilliseconds: options.timeoutMilliseconds,
    retriesForever: true,
    window,
  })
  let items: T[] = []
  const batches: Batch[] = []
  let sending: Batch | undefined
  /** Of the items that are being encoded. */
  let encodingCount = 0
  let bytes = 0
  /** How many items the next request has, by the size of those of the last one. */
  let batchSize = readySize
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let encoding: Promise<void> | undefined
  let delivering: Promise<void> | undefined
  let isShutDown = false

  /** Delayed instead of once per item: reporting must not slow down a busy application. */
  function reportDropped(): void {
    if (dropped > 0) losses.add('dropped', dropped, `the queue is full (${maximumQueueSize} ${itemNames[signal]}s)`)
    dropped = 0
  }

  /** Encodes all items that are waiting at present, in batches. */
  async function encodeAll(): Promise<void> {
    // Not in the turn of the request whose span completes a batch.
    await nextTurn()
    for (let rest = items.length; rest > 0; ) {
      const batch = items.slice(0, batchSize)
      items = items.slice(batch.length)
      rest -= batch.length
      encodingCount = batch.length
      reportDropped()
      try {
        enqueue(await encode(batch, clock), batch.length)
      } catch (error) {
        // Reading an item of the application, such as a span of an SDK, may throw.
        meters.failed(signal, batch.length)
        losses.add('failed', batch.length, error instanceof Error ? error.message : 'cannot be encoded')
      }
      encodingCount = 0
    }
  }

  function startEncoding(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    encoding ??= encodeAll().finally(() => {
      encoding = undefined
      if (items.length > 0 && !isShutDown) schedule()
    })
    return encoding
  }

  function enqueue(body: readonly Uint8Array[], count: number): void {
    const size = body.reduce((sum, piece) => sum + piece.length, 0)
    batches.push({ body, count, bytes: size })
    bytes += size
    batchSize = size * maximumBatchSize > maxRequestBytes * count ? readySize : maximumBatchSize
    while (bytes > maximumQueueBytes && batches.length > 0) dropOldest()
    if (batches.length > 0) delivering ??= deliverAll()
  }

  function dropOldest(): void {
    const oldest = batches.shift() as Batch
    bytes -= oldest.bytes
    meters.dropped(signal, oldest.count)
    losses.add('dropped', oldest.count, `the queue is full (${maximumQueueBytes} bytes)`)
  }

  async function deliverAll(): Promise<void> {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      sending = batch
      await delivery.deliver(batch)
      bytes -= batch.bytes
      sending = undefined
    }
    // In this turn: a batch that arrives a microtask later starts the next delivery.
    delivering = undefined
  }

  function schedule(): void {
    if (items.length >= readySize) {
      void startEncoding()
    } else if (timer === undefined && encoding === undefined && !exporting.onlyOnFlush) {
      timer = setTimeout(startEncoding, delayMilliseconds)
      timer.unref()
    }
  }

  async function deliverPending(): Promise<void> {
    await encoding
    await startEncoding()
    await delivering
  }

  function flush(deadline: number = Number.POSITIVE_INFINITY): Promise<void> {
    const suspended = window?.open(deadline)
    return suspended === undefined ? deliverPending() : Promise.race([deliverPending(), suspended])
  }

  return {
    add(item) {
      if (isShutDown || items.length >= maximumQueueSize) {
        dropped += 1
        meters.dropped(signal, 1)
        return
      }
      items.push(item)
      schedule()
    },
    get queueSize() {
      return batches.reduce((sum, { count }) => sum + count, items.length + encodingCount + (sending?.count ?? 0))
    },
    flush,
    async shutdown() {
      isShutDown = true
      void window?.open(Number.POSITIVE_INFINITY)
      await deliverPending()
      delivery.abort()
      reportDropped()
    },
    abort: delivery.abort,
  }
}
