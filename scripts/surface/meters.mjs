/**
 * Returns a line for each family of a page of Prometheus: its name, its type and the labels of its samples.
 *
 * @param {string} page
 * @returns {readonly string[]}
 */
export function metersOf(page) {
  const families = new Map()
  for (const [, name, type] of page.matchAll(/^# TYPE (\S+) (\S+)$/gm)) families.set(name, { type, labels: new Set() })
  for (const [, sample, labels = ''] of page.matchAll(/^([a-z_][\w]*)(?:\{(.*)\})? \S+$/gim)) {
    const family = families.get(sample) ?? families.get(sample.replace(/_(bucket|sum|count|max|info|total)$/, ''))
    for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g))
      if (label !== 'le' && label !== 'quantile') family?.labels.add(label)
  }
  return [...families].map(([name, { type, labels }]) => [name, type, ...[...labels].sort()].join(' '))
}
