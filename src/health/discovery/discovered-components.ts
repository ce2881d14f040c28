import { lazy } from '../../base/lazy.ts'
import type { CheckRunner } from '../checks/check-runner.ts'
import { type Component, createCheckedComponent, type Leaf, runChecks } from '../component.ts'
import { createWholeReporter, knownStatusOfWhole, type Reporter } from '../health-report.ts'
import type { HealthCheck } from '../indicator.ts'
import { diskSpace } from '../indicators/disk-space.ts'
import { defaultOrder } from '../status.ts'
import type { DiscoveredComponent } from './client-kind.ts'
import type { ClientDiscovery } from './discovery.ts'
import type { FoundClients, FoundTarget } from './found-clients.ts'

/** Creates the components of what is discovered, by name. */
export function createDiscoveredComponents(
  discovery: ClientDiscovery,
  runner: CheckRunner,
): readonly (readonly [string, Component])[] {
  return discovery.kinds.map((kind) => [
    kind,
    kind === 'diskSpace'
      ? createCheckedComponent({ check: createDiskCheck() }, runner, kind)
      : createDiscoveredComponent(kind, discovery, runner),
  ])
}

/** Creates a check of the file system of the working directory. Its file is loaded when it is first checked. */
function createDiskCheck(): HealthCheck {
  const path = process.cwd()
  const check = lazy(() => diskSpace({ path }))
  return (signal) => check()(signal)
}

/**
 * Creates a component for the targets of one kind, omitted while there is no target. With several targets it has a
 * part for each, named by its database or host.
 */
function createDiscoveredComponent(component: DiscoveredComponent, clients: FoundClients, runner: CheckRunner): Leaf {
  const leaves = new WeakMap<FoundTarget, Leaf>()
  let found: readonly FoundTarget[] = []
  let parts: ReadonlyMap<string, Leaf> = new Map()
  let reporter: Reporter | undefined

  function leafOf(target: FoundTarget, name: string): Leaf {
    const path = found.length === 1 ? component : `${component}/${name}`
    const leaf = leaves.get(target) ?? createCheckedComponent({ check: target.check }, runner, path)
    leaves.set(target, leaf)
    return leaf
  }

  /** Returns the parts at present. */
  function present(): ReadonlyMap<string, Leaf> {
    const now = clients.targetsOf(component)
    if (now.length === found.length && now.every((target, at) => target === found[at])) return parts
    found = now
    parts = new Map(nameTargets(now).map(([name, target]) => [name, leafOf(target, name)]))
    reporter = undefined
    return parts
  }

  const onlyOne = (): Leaf | undefined => (present().size === 1 ? [...parts.values()][0] : undefined)
  return {
    kind: 'leaf',
    isPresent: () => present().size > 0,
    check(now) {
      const only = onlyOne()
      if (only !== undefined) return only.check(now)
      reporter ??= createWholeReporter(parts as ReadonlyMap<string, Component>, defaultOrder)
      return reporter(now)
    },
    latest(now) {
      const only = onlyOne()
      if (only !== undefined) return only.latest(now)
      const status = knownStatusOfWhole(parts, defaultOrder, now)
      return status === undefined ? undefined : { status }
    },
    run: (now) => runChecks(present(), now),
    part: (name) => (present().size > 1 ? parts.get(name) : undefined),
  }
}

/** Returns the targets by name, sorted: that of the database, or else the host; with the port where two have it. */
function nameTargets(targets: readonly FoundTarget[]): readonly (readonly [string, FoundTarget])[] {
  const taken = new Set<string>()
  return targets
    .map((found) => {
      const { host, port, database } = found.target
      const candidates = [database ?? host, `${host}:${port}`, `${host}:${port}:${database}`, String(taken.size + 1)]
      const name = candidates.map(asName).find((each) => each !== undefined && !taken.has(each)) ?? ''
      taken.add(name)
      return [name, found] as const
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Returns a name without slashes, which separate the names of components. */
function asName(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text.replaceAll('/', '_')
}
