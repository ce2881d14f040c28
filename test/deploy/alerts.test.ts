import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { conventions } from '../../deploy/observability/conventions.mjs'
import { ruleGroups } from '../../deploy/observability/rules.mjs'
import { observabilityFiles } from '../../deploy/observability/write.mjs'
import { describeProgram } from '../support/describe-program.ts'

const folder = resolve(import.meta.dirname, '../../deploy/observability')
const read = (path: string) => readFileSync(path, 'utf8')
const names = Object.keys(conventions)
const alerts = (convention: string) =>
  ruleGroups(conventions[convention] ?? expect.fail()).flatMap(({ rules }) =>
    rules.flatMap((rule) => ('alert' in rule ? [rule] : [])),
  )

/** A value for each minute: phases of a gauge's value, or of what a counter grows by. */
type Phases = readonly (readonly [minutes: number, value: number])[]
const gauge = (...phases: Phases) => phases.flatMap(([minutes, value]) => Array.from({ length: minutes }, () => value))
const counter = (...phases: Phases) => {
  let sum = 0
  return gauge(...phases).map((rate) => {
    sum += rate
    return sum
  })
}

type Names = (typeof conventions)[string]
interface Case {
  readonly series: (names: Names) => Readonly<Record<string, readonly number[]>>
  /** The minutes in which the alert does not fire yet, fires, and does not fire any more. */
  readonly quiet: number
  readonly firing: number
  readonly resolved: number
}

const target = 'job="orders",instance="a:80"'
const traffic = (failing: number) => ({
  series: ({ requests, failed }: Names) => ({
    [`${requests}_count{${target}}`]: counter([420, 100]),
    [`${requests}_count{${target},${failed.replace('=~"5.."', '="503"')}}`]: counter([120, 0], [60, failing], [240, 0]),
    [`${requests}_bucket{${target},le="0.5"}`]: counter([120, 100], [60, 100 - failing], [240, 100]),
    [`${requests}_bucket{${target},le="+Inf"}`]: counter([420, 100]),
  }),
})
const fast = { ...traffic(50), quiet: 110, firing: 150, resolved: 195 }
const slow = { ...traffic(50), quiet: 110, firing: 160, resolved: 230 }
const checks = (down: Phases, up: Phases, component = 'db') => ({
  series: () => ({
    [`health_check_seconds_count{${target},component="${component}",status="DOWN"}`]: counter(...down),
    [`health_check_seconds_count{${target},component="${component}",status="UP"}`]: counter(...up),
  }),
})
const value = (of: (names: Names) => string, ...phases: Phases) => ({
  series: (names: Names) => ({ [of(names)]: gauge(...phases) }),
})
const count = (of: (names: Names) => string, ...phases: Phases) => ({
  series: (names: Names) => ({ [of(names)]: counter(...phases) }),
})

const cases: Readonly<Record<string, Case>> = {
  UpkeepErrorBudgetBurnsFast: fast,
  UpkeepLatencyBudgetBurnsFast: fast,
  UpkeepErrorBudgetBurnsSlow: slow,
  UpkeepLatencyBudgetBurnsSlow: { ...slow, resolved: 230 },
  UpkeepInstanceDown: {
    ...value(() => `up{${target}}`, [10, 1], [10, 0], [10, 1]),
    ...{ quiet: 9, firing: 15, resolved: 25 },
  },
  UpkeepEventLoopBlocked: {
    ...value(({ loopDelay }) => `${loopDelay}{${target}}`, [10, 0.02], [10, 1.2], [10, 0.02]),
    ...{ quiet: 9, firing: 15, resolved: 25 },
  },
  UpkeepEventLoopBusy: {
    ...value(({ loopUtilization }) => `${loopUtilization}{${target}}`, [10, 0.5], [20, 0.97], [10, 0.5]),
    ...{ quiet: 15, firing: 25, resolved: 35 },
  },
  UpkeepMemoryNearLimit: {
    series: () => ({
      [`container_memory_limit_bytes{${target}}`]: gauge([40, 1_000]),
      [`container_memory_used_bytes{${target}}`]: gauge([10, 500], [10, 950], [20, 500]),
    }),
    ...{ quiet: 9, firing: 15, resolved: 25 },
  },
  UpkeepMemoryGrows: {
    series: ({ memory }) => ({
      [`container_memory_limit_bytes{${target}}`]: gauge([300, 1_000]),
      [`${memory}{${target}}`]: [
        ...gauge([90, 450]),
        ...Array.from({ length: 90 }, (_, at) => 450 + 4 * at),
        ...gauge([120, 450]),
      ],
    }),
    ...{ quiet: 80, firing: 170, resolved: 260 },
  },
  UpkeepPoolExhausted: {
    ...value(({ pending, pool }) => `${pending}{${target},${pool}="orders"}`, [10, 0], [10, 3], [10, 0]),
    ...{ quiet: 9, firing: 16, resolved: 25 },
  },
  UpkeepComponentDown: {
    ...checks(
      [
        [20, 0],
        [15, 2],
        [20, 0],
      ],
      [
        [20, 2],
        [15, 0],
        [20, 2],
      ],
    ),
    ...{ quiet: 15, firing: 28, resolved: 45 },
  },
  UpkeepHealthFlaps: {
    series: () => ({
      [`health_check_seconds_count{${target},component="db",status="DOWN"}`]: counter(
        [20, 0],
        ...Array.from(
          { length: 5 },
          () =>
            [
              [4, 0],
              [4, 2],
            ] as const,
        ).flat(),
        [60, 0],
      ),
      [`health_check_seconds_count{${target},component="db",status="UP"}`]: counter([120, 2]),
    }),
    ...{ quiet: 15, firing: 50, resolved: 100 },
  },
  UpkeepCertificateExpires: {
    ...value(
      () => `ssl_chain_expiry_seconds{${target},bundle="web",certificate="01"}`,
      [10, 30 * 86_400],
      [10, 13 * 86_400],
      [10, 90 * 86_400],
    ),
    ...{ quiet: 9, firing: 15, resolved: 25 },
  },
  UpkeepTaskFails: {
    ...count(
      () => `tasks_scheduled_execution_seconds_count{${target},code_function="send",outcome="ERROR"}`,
      [20, 0],
      [5, 1],
      [30, 0],
    ),
    ...{ quiet: 15, firing: 24, resolved: 50 },
  },
  UpkeepTaskLate: {
    ...checks(
      [
        [20, 0],
        [15, 2],
        [20, 0],
      ],
      [
        [20, 2],
        [15, 0],
        [20, 2],
      ],
      'scheduledTasks',
    ),
    ...{ quiet: 15, firing: 30, resolved: 50 },
  },
  UpkeepTelemetryLost: {
    series: () => ({
      [`otlp_dropped_total{${target},signal="traces"}`]: counter([80, 0]),
      [`otlp_failed_total{${target},signal="traces"}`]: counter([20, 0], [20, 5], [40, 0]),
    }),
    ...{ quiet: 15, firing: 35, resolved: 60 },
  },
  UpkeepSeriesRefused: {
    ...count(() => `upkeep_meters_overflow_total{${target},name="orders"}`, [20, 0], [5, 1], [30, 0]),
    ...{ quiet: 15, firing: 24, resolved: 50 },
  },
}

/** Returns whether the alert fires, at three times, as a test of promtool. */
function promtoolTest(alert: string, { series, quiet, firing, resolved }: Case, names: Names) {
  const isFiring = (minutes: number, value?: number) => ({
    expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
    eval_time: `${minutes}m`,
    exp_samples: value === undefined ? [] : [{ labels: '{}', value }],
  })
  return {
    interval: '1m',
    input_series: Object.entries(series(names)).map(([each, values]) => ({ series: each, values: values.join(' ') })),
    promql_expr_test: [isFiring(quiet), isFiring(firing, 1), isFiring(resolved)],
  }
}

describe('the rules of Prometheus', () => {
  it('are those that the script writes', () => {
    for (const [path, text] of Object.entries(observabilityFiles())) {
      expect(read(join(folder, path)), 'Run: node deploy/observability/write.mjs').toBe(text)
    }
  })

  it.each(names)('have a case, and a section of the documentation each: %s', (convention) => {
    const page = read(resolve(import.meta.dirname, '../../docs/guides/alerts.md'))
    expect(alerts(convention).map(({ alert }) => alert)).toEqual(expect.arrayContaining(Object.keys(cases)))
    for (const { alert, annotations } of alerts(convention)) {
      expect(Object.keys(cases)).toContain(alert)
      expect(page).toContain(`\n### ${alert}\n`)
      expect(annotations.runbook_url).toMatch(new RegExp(`/docs/guides/alerts\\.md#${alert.toLowerCase()}$`))
    }
  })
})

describeProgram({ program: 'promtool', debian: 'prometheus' }, (promtool) => {
  const work = mkdtempSync(join(tmpdir(), 'upkeep-rules-'))
  afterAll(() => rmSync(work, { recursive: true }))

  describe.each(names)('promtool, with the names of %s', (convention) => {
    it('accepts the rules', () => {
      const { status, stderr } = spawnSync(promtool, ['check', 'rules', join(folder, `rules/${convention}.yml`)])
      expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
    })

    it.each(Object.entries(cases))('finds that %s does not fire before, fires, and is resolved', (alert, each) => {
      const file = join(work, `${convention}-${alert}.yml`)
      const test = promtoolTest(alert, each, conventions[convention] ?? expect.fail())
      const rules = join(folder, `rules/${convention}.yml`)
      writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests: [test] }))
      const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', file])
      expect({ status, output: `${stdout}${stderr}` }).toEqual({
        status: 0,
        output: expect.stringContaining('SUCCESS'),
      })
    })
  })
})
