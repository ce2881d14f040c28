// The dashboards of Grafana, from one source for both conventions.
import {
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries'

const rate = '$__rate_interval'
const which = 'job="$job",instance=~"$instance"'

/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} unit A unit of Grafana.
 * @property {readonly (readonly [query: string, legend: string])[]} queries
 * @property {string} [description]
 */

/**
 * Returns the dashboards by their names, as JSON.
 *
 * @param {string} convention
 * @param {import('./conventions.mjs').Names} names
 */
export function dashboards(convention, names) {
  const all = {
    service: ['Service', servicePanels(names)],
    routes: ['Routes', routePanels(names)],
    runtime: ['Node runtime', runtimePanels(names)],
    dependencies: ['Dependencies', dependencyPanels(names)],
    health: ['Health', healthPanels()],
    cluster: ['Cluster', clusterPanels()],
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, [title, panels]]) => [name, dashboardOf({ name, title, panels, convention })]),
  )
}

function servicePanels({ requests, failed, status, active, loopUtilization, loopDelay, cpu, memory }) {
  return [
    panel('Requests', 'reqps', [`sum by (${status}) (${rateOf(`${requests}_count`)})`, `{{${status}}}`]),
    panel('Failed requests', 'percentunit', [
      ratio(rateOf(`${requests}_count`, failed), rateOf(`${requests}_count`)),
      'failed',
    ]),
    panel(
      'Mean duration',
      's',
      [ratio(rateOf(`${requests}_sum`), rateOf(`${requests}_count`)), 'mean'],
      [`max(${of(`${requests}_max`)})`, 'longest'],
    ),
    panel(
      'Percentiles of durations',
      's',
      ...[0.5, 0.95, 0.99].map((quantile) => [percentile(quantile, requests, ''), `p${100 * quantile}`]),
    ),
    panel('Requests in progress', 'short', [`sum(${of(active)})`, 'in progress']),
    panel('Instances', 'short', [`sum(up{${which}})`, 'up']),
    panel('Event loop', 'percentunit', [of(loopUtilization), '{{instance}}']),
    panel('Longest delay of the event loop', 's', [of(loopDelay), '{{instance}}']),
    panel('Processors', 'percentunit', [`sum by (instance) (${of(cpu)})`, '{{instance}}']),
    panel('Memory', 'bytes', [of(memory), '{{instance}}']),
  ]
}

function routePanels({ requests, failed, route }) {
  const by = (expression) => `topk(10, ${expression})`
  return [
    panel('Requests', 'reqps', [by(`sum by (${route}) (${rateOf(`${requests}_count`)})`), `{{${route}}}`]),
    panel('Failed requests', 'reqps', [
      by(`sum by (${route}) (${rateOf(`${requests}_count`, failed)})`),
      `{{${route}}}`,
    ]),
    panel('Mean duration', 's', [
      by(`sum by (${route}) (${rateOf(`${requests}_sum`)}) / (sum by (${route}) (${rateOf(`${requests}_count`)}) > 0)`),
      `{{${route}}}`,
    ]),
    panel('99th percentile of durations, with exemplars', 's', [by(percentile(0.99, requests, route)), `{{${route}}}`]),
    panel('Longest duration', 's', [by(`max by (${route}) (${of(`${requests}_max`)})`), `{{${route}}}`]),
    panel('Time spent', 'percentunit', [by(`sum by (${route}) (${rateOf(`${requests}_sum`)})`), `{{${route}}}`]),
  ]
}

function runtimePanels({
  loopDelay,
  loopDelay99,
  loopUtilization,
  cpu,
  memory,
  heap,
  space,
  collections,
  collectionKind,
  threads,
  files,
}) {
  return [
    panel(
      'Delay of the event loop',
      's',
      [of(loopDelay99), '{{instance}} p99'],
      [of(loopDelay), '{{instance}} longest'],
    ),
    panel('Event loop', 'percentunit', [of(loopUtilization), '{{instance}}']),
    panel('Processors', 'percentunit', [`sum by (instance) (${of(cpu)})`, '{{instance}}']),
    panel('Memory', 'bytes', [of(memory), '{{instance}}']),
    panel('Heap', 'bytes', [`sum by (${space}) (${of(heap)})`, `{{${space}}}`]),
    panel('Garbage collection', 'percentunit', [
      `sum by (${collectionKind}) (${rateOf(`${collections}_sum`)})`,
      `{{${collectionKind}}}`,
    ]),
    panel('Threads', 'short', [of(threads), '{{instance}}']),
    panel('Open files', 'short', [of(files), '{{instance}}']),
  ]
}

function dependencyPanels(names) {
  const { outgoing, outgoingFailed, host, operation, collection, destination } = names
  const { pool, poolUsed, poolLimit, pending, poolWait } = names
  const [database, messages] = ['db_client_operation_duration_seconds', 'messaging_process_duration_seconds']
  const tasks = 'tasks_scheduled_execution_seconds'
  return [
    panel('Outgoing requests', 'reqps', [`sum by (${host}) (${rateOf(`${outgoing}_count`)})`, `{{${host}}}`]),
    panel('Failed outgoing requests', 'reqps', [
      `sum by (${host}) (${rateOf(`${outgoing}_count`, outgoingFailed)})`,
      `{{${host}}}`,
    ]),
    panel('Mean duration of outgoing requests', 's', [mean(outgoing, host), `{{${host}}}`]),
    panel('Operations of databases', 'ops', [
      `sum by (${operation}, ${collection}) (${rateOf(`${database}_count`)})`,
      `{{${operation}}} {{${collection}}}`,
    ]),
    panel('Mean duration of operations', 's', [
      mean(database, `${operation}, ${collection}`),
      `{{${operation}}} {{${collection}}}`,
    ]),
    panel(
      'Connections of pools',
      'short',
      [`sum by (${pool}) (${of(poolUsed)})`, `{{${pool}}} used`],
      [`sum by (${pool}) (${of(poolLimit)})`, `{{${pool}}} limit`],
    ),
    panel('Requests that wait for a connection', 'short', [`sum by (${pool}) (${of(pending)})`, `{{${pool}}}`]),
    panel('Mean wait for a connection', 's', [mean(poolWait, pool), `{{${pool}}}`]),
    panel('Messages processed', 'ops', [
      `sum by (${destination}) (${rateOf(`${messages}_count`)})`,
      `{{${destination}}}`,
    ]),
    panel('Mean duration of processing', 's', [mean(messages, destination), `{{${destination}}}`]),
    panel('Runs of scheduled tasks', 'ops', [
      `sum by (code_function, outcome) (${rateOf(`${tasks}_count`)})`,
      '{{code_function}} {{outcome}}',
    ]),
    panel('Mean duration of runs', 's', [mean(tasks, 'code_function'), '{{code_function}}']),
  ]
}

function healthPanels() {
  const checks = 'health_check_seconds'
  return [
    panel('Results of checks', 'ops', [
      `sum by (component, status) (${rateOf(`${checks}_count`)})`,
      '{{component}} {{status}}',
    ]),
    panel('Components that are not UP', 'ops', [
      `sum by (component, instance) (${rateOf(`${checks}_count`, 'status!="UP"')})`,
      '{{component}} {{instance}}',
    ]),
    panel('Mean duration of checks', 's', [mean(checks, 'component'), '{{component}}']),
    panel('Longest check', 's', [`max by (component) (${of(`${checks}_max`)})`, '{{component}}']),
    panel('Instances', 'short', [`sum(up{${which}})`, 'up']),
    panel('Uptime', 's', [of('process_uptime_seconds'), '{{instance}}']),
  ]
}

function clusterPanels() {
  return [
    panel(
      'Members',
      'short',
      [of('upkeep_cluster_members'), 'alive'],
      [of('upkeep_cluster_stale'), 'silent for two seconds'],
    ),
    panel('Age of the oldest heartbeat', 's', [of('upkeep_cluster_age_seconds'), '{{instance}}']),
    panel('Files that are not merged', 'short', [of('upkeep_cluster_refused'), '{{instance}}']),
  ]
}

/** @returns {Panel} */
function panel(title, unit, ...queries) {
  return { title, unit, queries }
}

/** Selects the series of the service: `name{label="value"}` keeps its matcher. */
function of(series, matcher) {
  const [, name, own] = /^(\w*)(?:\{(.*)\})?$/.exec(series)
  return `${name}{${[which, own, matcher].filter((each) => each !== undefined).join(',')}}`
}

const rateOf = (series, matcher) => `rate(${of(series, matcher)}[${rate}])`
const ratio = (part, all) => `sum(${part}) / (sum(${all}) > 0)`
const mean = (timer, labels) =>
  `sum by (${labels}) (${rateOf(`${timer}_sum`)}) / (sum by (${labels}) (${rateOf(`${timer}_count`)}) > 0)`
const percentile = (quantile, timer, label) =>
  `histogram_quantile(${quantile}, sum by (${label === '' ? 'le' : `le, ${label}`}) (${rateOf(`${timer}_bucket`)}))`

function dashboardOf({ name, title, panels, convention }) {
  const source = { type: 'prometheus', uid: '$datasource' }
  const builder = new DashboardBuilder(`upkeep: ${title}`)
    .uid(`upkeep-${convention}-${name}`)
    .tags(['upkeep', convention])
    .time({ from: 'now-1h', to: 'now' })
    .refresh('30s')
    .timezone('browser')
    .link(
      new DashboardLinkBuilder('upkeep')
        .type(DashboardLinkType.Dashboards)
        .tags(['upkeep', convention])
        .keepTime(true)
        .includeVars(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(variable('job', 'Service', 'label_values(process_uptime_seconds, job)', source))
    .withVariable(
      variable('instance', 'Instance', 'label_values(process_uptime_seconds{job="$job"}, instance)', source)
        .multi(true)
        .includeAll(true)
        .allValue('.*'),
    )
  for (const { title, unit, queries } of panels) {
    const chart = new PanelBuilder().title(title).unit(unit).min(0).datasource(source).span(12).height(8)
    for (const [query, legend] of queries) {
      chart.withTarget(new DataqueryBuilder().expr(query).legendFormat(legend).exemplar(query.includes('_bucket')))
    }
    builder.withPanel(chart)
  }
  return builder.build()
}

function variable(name, label, query, source) {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(source)
    .query(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
}
