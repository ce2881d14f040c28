/** One metric as prom-client and @prometheus-io/client return it. */
export interface ClientMetric {
  readonly name: string
  readonly help?: string
  readonly type: unknown
  readonly values?: readonly ClientValue[]
}

interface ClientValue {
  /** For a histogram or a summary: the name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string
  readonly labels?: Readonly<Record<string, unknown>>
  readonly value: number
  readonly exemplar?: ClientExemplar | null
}

export interface ClientExemplar {
  readonly labelSet?: Readonly<Record<string, unknown>>
  readonly value?: number
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp?: number
}

/** A registry of prom-client or @prometheus-io/client. */
export interface ClientRegistry {
  getMetricsAsJSON(): Promise<readonly unknown[]>
}
