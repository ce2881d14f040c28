import type { Clock } from '../base/clock.ts'
import type { Aggregator } from '../health/aggregator.ts'
import type { HealthChange } from '../health/changes.ts'
import type { HealthReport } from '../health/health-report.ts'
import type { HealthChangeFacts, HealthNode } from './documents.ts'
import { showText, showValues } from './shown-values.ts'

/** The estimated memory of a change without its text, in bytes. */
const changeBytes = 128

const maxTextLength = 1_024
const shownMilliseconds = 60 * 60 * 1_000

/** The changes of health of the last hour, and since when each component has its status. */
export class HealthHistory {
  readonly #clock: Clock
  readonly #latestRunOf: Aggregator['latestRunOf']
  readonly #maximumBytes: number
  #changes: HealthChangeFacts[] = []
  #bytes = 0

  /** `latestRunOf` returns when the check of a component ran, in monotonic time. */
  constructor(clock: Clock, latestRunOf: Aggregator['latestRunOf'], maximumBytes: number) {
    this.#maximumBytes = maximumBytes
    this.#clock = clock
    this.#latestRunOf = latestRunOf
  }

  get bytes(): number {
    return this.#bytes
  }

  add(change: HealthChange): void {
    if (change.kind === 'group') return
    const { from, to } = change
    const path = change.kind === 'component' ? change.component : ''
    const reason = change.kind === 'component' ? change.reason : undefined
    const at = this.#clock.wallTime()
    const kept: HealthChangeFacts = { at, path, from, to, reason: reason && showText(reason, maxTextLength) }
    this.#changes.push(kept)
    this.#bytes += bytesOf(kept)
    while (this.#bytes > this.#maximumBytes) this.#bytes -= bytesOf(this.#changes.shift() as HealthChangeFacts)
  }

  /** Returns the changes of the last hour, the latest first. */
  read(): readonly HealthChangeFacts[] {
    const earliest = this.#clock.wallTime() - shownMilliseconds
    return this.#changes.filter(({ at }) => at >= earliest).reverse()
  }

  /** Returns the latest change to the present status of a component. */
  latestOf(path: string, status: string): HealthChangeFacts | undefined {
    return this.#changes.findLast((change) => change.path === path && change.to === status)
  }

  /** Returns a report as a tree of nodes. */
  show(report: HealthReport, path = ''): HealthNode {
    const { status, components = {} } = report
    const description = report.description && showText(report.description, maxTextLength)
    const details = report.details && showValues(report.details, maxTextLength)
    const prefix = path === '' ? '' : `${path}/`
    const nodes = Object.entries(components).map(([name, component]) => this.show(component, prefix + name))
    const since = this.latestOf(path, status)?.at
    return { path, status, since, description, details, check: this.#checkOf(path), components: nodes }
  }

  #checkOf(path: string): HealthNode['check'] {
    const run = this.#latestRunOf(path)
    const age = this.#clock.monotonicTime() - (run?.endedAt ?? 0)
    return run && { at: this.#clock.wallTime() - age, seconds: run.seconds }
  }
}

function bytesOf({ path, from, to, reason = '' }: HealthChangeFacts): number {
  return changeBytes + 2 * (path.length + from.length + to.length + reason.length)
}

/** Returns a node and those below it without details. */
export function withoutDetails({ details: _details, components, ...node }: HealthNode): HealthNode {
  return { ...node, components: components.map(withoutDetails) }
}

/** Returns the statuses of all components below a node, by path. */
export function statusesOf({ components }: HealthNode): Readonly<Record<string, string>> {
  const all = (nodes: readonly HealthNode[]): readonly HealthNode[] =>
    nodes.flatMap((node) => [node, ...all(node.components)])
  return Object.fromEntries(all(components).map(({ path, status }) => [path, status]))
}
