import promClient from 'prom-client'

/** The finite bounds of a histogram of prom-client. */
export async function boundsOf(name: string): Promise<readonly number[]> {
  const metrics = await promClient.register.getMetricsAsJSON()
  const values = metrics.find((metric) => metric.name === name)?.values ?? []
  return values.flatMap(({ labels }) => {
    const le = 'le' in labels ? Number(labels['le']) : Number.NaN
    return Number.isFinite(le) ? [le] : []
  })
}
