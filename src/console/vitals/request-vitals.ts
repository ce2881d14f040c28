import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import { Latencies } from './latencies.ts'

/** The part of a sample about the requests. */
interface RequestFigures {
  readonly requestRate: number
  readonly errorRate: number
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

/** The requests since the last sample. */
export class RequestVitals {
  readonly latencies: Latencies = new Latencies()
  #errors = 0

  record(request: EndedRequest): void {
    this.latencies.record(request.seconds)
    if (isFailure(request)) this.#errors += 1
  }

  add(other: RequestVitals): void {
    this.latencies.add(other.latencies)
    this.#errors += other.#errors
  }

  read(seconds: number): RequestFigures {
    const { latencies } = this
    return {
      requestRate: latencies.count / seconds,
      errorRate: this.#errors / seconds,
      p50: latencies.quantile(0.5),
      p95: latencies.quantile(0.95),
      p99: latencies.quantile(0.99),
    }
  }

  clear(): void {
    this.latencies.clear()
    this.#errors = 0
  }
}

/** Whether a request counts as an error: a status of 500 or more, or a response that was cut off. */
export function isFailure({ isAborted, status }: EndedRequest): boolean {
  return isAborted || status >= 500
}
