/** A sample of a Prometheus page. */
interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: number
}

/** Reads the samples of a page in the text format, as far as the checks need them: labels are not parsed. */
export function readSamples(page: string): readonly Sample[] {
  return page.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    const end = line.lastIndexOf('} ')
    const space = end < 0 ? line.indexOf(' ') : end + 1
    const [name = '', ...labels] = line.slice(0, space).split('{')
    const [value = ''] = line.slice(space + 1).split(' ')
    return [{ name, labels: labels.join('{'), value: Number(value) }]
  })
}

/** Returns how many requests of the application were observed; `undefined` without the meter. */
export function observedRequests(samples: readonly Sample[]): number | undefined {
  const counts = samples.filter(({ name }) => requestCounts.has(name))
  return counts.length === 0 ? undefined : sum(counts)
}

const requestCounts: ReadonlySet<string> = new Set([
  'http_server_requests_seconds_count',
  'http_server_request_duration_seconds_count',
])

/** Returns the limits of the heap, and of the container or machine, in bytes. */
export function memoryLimits(
  samples: readonly Sample[],
): { readonly heap: number; readonly total: number } | undefined {
  const limits = samples.filter(({ name, value }) => name.endsWith('memory_max_bytes') && value > 0)
  const heap = sum(limits.filter(({ labels }) => labels.includes('area="heap"')))
  const total = sum(limits.filter(({ labels }) => labels.includes('id="external"')))
  return heap > 0 && total > 0 ? { heap, total } : undefined
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0)
}
