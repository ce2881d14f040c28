// The recording and alerting rules for Prometheus, from one source for both conventions.

const page = 'https://github.com/upkeep-node/upkeep/blob/main/docs/guides/alerts.md'

/** The shares of requests that may fail, and that may take longer than half a second. */
const objectives = { errors: 0.001, latency: 0.01 }

/** How fast the budget of 30 days is used: 2 % of it in an hour, 5 % in six hours. */
const burns = [
  { speed: 'Fast', severity: 'page', long: '1h', short: '5m', factor: 14.4, wait: '2m' },
  { speed: 'Slow', severity: 'ticket', long: '6h', short: '30m', factor: 6, wait: '15m' },
]

const windows = ['5m', '30m', '1h', '6h']

/**
 * Returns the groups of rules with the names of a convention.
 *
 * @param {import('./conventions.mjs').Names} names
 */
export function ruleGroups(names) {
  return [
    { name: 'upkeep-requests', rules: recordings(names) },
    { name: 'upkeep-objectives', rules: burns.flatMap(budgetAlerts) },
    { name: 'upkeep-process', rules: processAlerts(names) },
    { name: 'upkeep-dependencies', rules: dependencyAlerts(names) },
    { name: 'upkeep-telemetry', rules: telemetryAlerts() },
  ]
}

function recordings({ requests, failed }) {
  return windows.flatMap((window) => [
    {
      record: `job:upkeep_request_errors:ratio_rate${window}`,
      expr:
        `sum by (job) (rate(${requests}_count{${failed}}[${window}]))\n` +
        `/ sum by (job) (rate(${requests}_count[${window}]))`,
    },
    {
      record: `job:upkeep_request_slow:ratio_rate${window}`,
      expr:
        `1 - sum by (job) (rate(${requests}_bucket{le="0.5"}[${window}]))\n` +
        `/ sum by (job) (rate(${requests}_bucket{le="+Inf"}[${window}]))`,
    },
  ])
}

function budgetAlerts({ speed, severity, long, short, factor, wait }) {
  const isAbove = (what, objective) => {
    const limit = Number((factor * objective).toPrecision(6))
    return (
      `job:upkeep_request_${what}:ratio_rate${long} > ${limit}\n` +
      `and job:upkeep_request_${what}:ratio_rate${short} > ${limit}`
    )
  }
  return [
    alert(`UpkeepErrorBudgetBurns${speed}`, {
      ...{ severity, wait, expr: isAbove('errors', objectives.errors) },
      summary: `{{ $value | humanizePercentage }} of the requests to {{ $labels.job }} failed in the last ${long}`,
    }),
    alert(`UpkeepLatencyBudgetBurns${speed}`, {
      ...{ severity, wait, expr: isAbove('slow', objectives.latency) },
      summary:
        `{{ $value | humanizePercentage }} of the requests to {{ $labels.job }} took longer than 0.5 s ` +
        `in the last ${long}`,
    }),
  ]
}

function processAlerts({ loopDelay, loopUtilization, memory }) {
  const where = '{{ $labels.instance }} of {{ $labels.job }}'
  return [
    alert('UpkeepInstanceDown', {
      ...{ severity: 'ticket', wait: '2m', expr: 'up == 0' },
      summary: `${where} does not respond to scrapes`,
    }),
    alert('UpkeepEventLoopBlocked', {
      ...{ severity: 'ticket', wait: '2m', expr: `${loopDelay} > 0.5` },
      summary: `The event loop of ${where} was blocked for {{ $value | humanizeDuration }}`,
    }),
    alert('UpkeepEventLoopBusy', {
      ...{ severity: 'ticket', wait: '10m', expr: `${loopUtilization} > 0.9` },
      summary: `The event loop of ${where} is busy for {{ $value | humanizePercentage }} of the time`,
    }),
    alert('UpkeepMemoryNearLimit', {
      ...{
        severity: 'page',
        wait: '2m',
        expr: 'container_memory_used_bytes / (container_memory_limit_bytes > 0) > 0.9',
      },
      summary: `${where} uses {{ $value | humanizePercentage }} of the memory of its container`,
    }),
    alert('UpkeepMemoryGrows', {
      ...{ severity: 'ticket', wait: '15m' },
      expr:
        `predict_linear(${memory}[1h], 3 * 3600) > (container_memory_limit_bytes > 0)\n` +
        `and ${memory} > 0.4 * (container_memory_limit_bytes > 0)`,
      summary: `The memory of ${where} reaches the limit of its container within 3 h`,
    }),
  ]
}

function dependencyAlerts({ pending, pool }) {
  const checks = (status, window) =>
    `sum by (job, instance, component) (increase(health_check_seconds_count{status${status}}[${window}]))`
  return [
    alert('UpkeepPoolExhausted', {
      ...{ severity: 'ticket', wait: '2m', expr: `min_over_time(${pending}[2m]) > 0` },
      summary: `{{ $value }} requests wait for a connection of the pool {{ $labels.${pool} }} of {{ $labels.job }}`,
    }),
    alert('UpkeepComponentDown', {
      ...{ severity: 'page', wait: '1m', expr: `${checks('="DOWN"', '3m')} > 0\nunless ${checks('="UP"', '3m')} > 0` },
      summary: 'The component {{ $labels.component }} of {{ $labels.job }} is DOWN',
    }),
    alert('UpkeepHealthFlaps', {
      ...{
        severity: 'ticket',
        wait: '15m',
        expr: `${checks('="DOWN"', '15m')} > 0\nand ${checks('="UP"', '15m')} > 0`,
      },
      summary: 'The component {{ $labels.component }} of {{ $labels.job }} goes DOWN and UP again',
    }),
    alert('UpkeepCertificateExpires', {
      ...{
        severity: 'ticket',
        wait: '0m',
        expr: 'min by (job, bundle, certificate) (ssl_chain_expiry_seconds) < 14 * 86400',
      },
      summary:
        'A certificate of the bundle {{ $labels.bundle }} of {{ $labels.job }} expires ' +
        'in {{ $value | humanizeDuration }}',
    }),
    alert('UpkeepTaskFails', {
      ...{ severity: 'ticket', wait: '0m' },
      expr:
        'sum by (job, code_namespace, code_function) ' +
        '(increase(tasks_scheduled_execution_seconds_count{outcome="ERROR"}[15m])) > 0',
      summary: 'The task {{ $labels.code_function }} of {{ $labels.job }} failed in the last 15 minutes',
    }),
    alert('UpkeepTaskLate', {
      ...{ severity: 'ticket', wait: '5m' },
      expr:
        'sum by (job, instance) ' +
        '(increase(health_check_seconds_count{component="scheduledTasks",status="DOWN"}[5m])) > 0',
      summary: 'A scheduled task of {{ $labels.job }} is late',
    }),
  ]
}

function telemetryAlerts() {
  const lost = ['dropped', 'failed', 'rejected'].map((what) => `increase(otlp_${what}_total[10m]) > 0`)
  return [
    alert('UpkeepTelemetryLost', {
      ...{ severity: 'ticket', wait: '5m', expr: `sum by (job, instance) (${lost.join(' or ')})` },
      summary: '{{ $labels.instance }} of {{ $labels.job }} loses spans, data points or log records',
    }),
    alert('UpkeepSeriesRefused', {
      ...{
        severity: 'ticket',
        wait: '0m',
        expr: 'sum by (job, instance) (increase(upkeep_meters_overflow_total[15m])) > 0',
      },
      summary: 'A meter of {{ $labels.job }} has more series than maximumSeriesPerMeter permits',
    }),
  ]
}

function alert(name, { expr, wait, severity, summary }) {
  return {
    ...{ alert: name, expr, for: wait, labels: { severity } },
    annotations: { summary, runbook_url: `${page}#${name.toLowerCase()}` },
  }
}
