// The same series with the same values in a registry of ours and in one of prom-client's, for the benchmarks of
// scraping.
import prom from 'prom-client'
import { load } from './harness.mjs'

const { createMeterRegistry } = await load('upkeep/metrics')

const methods = ['GET', 'PUT', 'POST', 'DELETE']
const statuses = ['200', '201', '404', '500']
const labelNames = ['method', 'status', 'uri']
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const uris = Array.from({ length: 10_000 }, (_, index) => `/api/v1/resource/${index}`)

function tagsOf(index) {
  return [methods[index & 3], statuses[(index >> 2) & 3], uris[index >> 4]]
}

/** Six measurements or so a bucket, of up to six seconds. */
function* secondsOf(index) {
  for (let at = 0; at < 20; at++) yield ((index * 7919 + at * 104_729) % 600_011) / 100_000
}

/** By default, timers have the buckets that prom-client's histograms have here. */
export function fillOurs(counters, histograms, distribution = { slo: buckets }) {
  const registry = createMeterRegistry({ maximumSeriesPerMeter: 1_000_000 })
  const requests = registry.counters('http.requests', labelNames, { description: 'Requests' })
  for (let index = 0; index < counters; index++) requests.with(...tagsOf(index)).increment(index * 3 + 1)
  const durations = registry.timers('http.duration', labelNames, { description: 'Durations', ...distribution })
  for (let index = 0; index < histograms; index++) {
    const timer = durations.with(...tagsOf(index))
    for (const seconds of secondsOf(index)) timer.record(seconds)
  }
  return registry
}

export function fillTheirs(counters, histograms) {
  const registry = new prom.Registry()
  const registers = [registry]
  const requests = new prom.Counter({ name: 'http_requests_total', help: 'Requests', labelNames, registers })
  const labelsOf = (index) => Object.fromEntries(tagsOf(index).map((value, at) => [labelNames[at], value]))
  for (let index = 0; index < counters; index++) requests.inc(labelsOf(index), index * 3 + 1)
  const name = 'http_duration_seconds'
  const durations = new prom.Histogram({ name, help: 'Durations', labelNames, registers, buckets })
  for (let index = 0; index < histograms; index++) {
    for (const seconds of secondsOf(index)) durations.observe(labelsOf(index), seconds)
  }
  return registry
}

/** Every series and its value, the labels in one order, bounds as numbers. */
function seriesOf(text) {
  const series = new Map()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, labels = '', value] = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line)
    const sorted = labels
      .split(/,(?=\w+=)/)
      .map(withBoundAsNumber)
      .sort()
    series.set(`${name}{${sorted}}`, Number(value))
  }
  return series
}

function withBoundAsNumber(label) {
  return label.replace(/^le="(.*)"$/, (_, bound) => `le=${Number(bound.replace('+Inf', 'Infinity'))}`)
}

/**
 * Throws unless both pages hold the same series with the same values; prom-client has no maxima, which ours has
 * besides.
 */
export function checkSameContent(ourText, theirText) {
  const ours = seriesOf(ourText)
  const theirs = seriesOf(theirText)
  for (const name of ours.keys()) if (name.startsWith('http_duration_seconds_max')) ours.delete(name)
  if (ours.size !== theirs.size) throw new Error(`${ours.size} series beside ${theirs.size}`)
  for (const [name, value] of theirs) {
    if (ours.get(name) !== value) throw new Error(`${name} is ${ours.get(name)} beside ${value}`)
  }
}
