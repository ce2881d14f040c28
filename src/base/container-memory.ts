import { lazy } from './lazy.ts'

/** The memory of the control group of the process, such as that of a container, as Linux counts it. */
interface ContainerMemory {
  /** In bytes, with the file cache that can be discarded. */
  readonly total: number
  /** In bytes, without that: what Kubernetes calls the working set. */
  readonly used: number
  /** How often the limit was reached (`max`), a process was killed (`oom_kill`), and others by their names. */
  readonly events: Readonly<Record<string, number>>
  /** For how long some or all tasks have waited for memory, in microseconds; version 2 of control groups only. */
  readonly pressure: { readonly some: number; readonly full: number } | undefined
}

const files = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs'))
const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))
const folder = /* @__PURE__ */ lazy(findFolder)

/** Returns the memory of the control group; `undefined` if it does not exist or cannot be read. */
export function readContainerMemory(): ContainerMemory | undefined {
  const found = folder()
  return found === undefined
    ? undefined
    : parseContainerMemory((name) => readText(`${found.path}/${name}`), found.version)
}

/** Returns the limit of the container in bytes; `undefined` without one. */
export function containerLimit(): number | undefined {
  try {
    // Without a limit Node returns 0 or, with version 1 of control groups, a number beyond any machine.
    const limit = process.constrainedMemory?.() ?? 0
    return limit > 0 && limit < os().totalmem() ? limit : undefined
  } catch {
    // The runtime cannot read the control group.
    return undefined
  }
}

/** Returns the bytes that the container, or else the machine, can still provide. File cache counts as available. */
export function availableMemory(): number {
  const machine = os().freemem()
  const limit = containerLimit()
  const used = limit === undefined ? undefined : readContainerMemory()?.used
  if (limit === undefined) return machine
  return Math.min(machine, used === undefined ? process.availableMemory() : Math.max(0, limit - used))
}

/** Parses the files of the control group; `read` returns the text of one, or an empty one. */
export function parseContainerMemory(read: (name: string) => string, version: 1 | 2): ContainerMemory | undefined {
  const total = Number(read(version === 2 ? 'memory.current' : 'memory.usage_in_bytes') || Number.NaN)
  if (Number.isNaN(total)) return undefined
  const inactive = parseFields(read('memory.stat'))[version === 2 ? 'inactive_file' : 'total_inactive_file'] ?? 0
  const used = Math.max(0, total - inactive)
  if (version === 2) {
    return { total, used, events: parseFields(read('memory.events')), pressure: parsePressure(read('memory.pressure')) }
  }
  const { oom_kill = 0 } = parseFields(read('memory.oom_control'))
  return { total, used, events: { max: Number(read('memory.failcnt')), oom_kill }, pressure: undefined }
}

/** Parses lines such as `oom_kill 0`. */
function parseFields(text: string): Readonly<Record<string, number>> {
  const fields = text.split('\n').map((line) => line.split(' '))
  return Object.fromEntries(
    fields.flatMap(([name = '', value]) => (value === undefined ? [] : [[name, Number(value)]])),
  )
}

/** Parses the totals of lines such as `some avg10=0.00 avg60=0.00 avg300=0.00 total=5`. */
function parsePressure(text: string): ContainerMemory['pressure'] {
  const total = (kind: string) => {
    const line = text.split('\n').find((each) => each.startsWith(`${kind} `))
    return Number(line?.slice(line.indexOf('total=') + 'total='.length) ?? Number.NaN)
  }
  return text === '' ? undefined : { some: total('some'), full: total('full') }
}

/** Finds the folder of the control group. In a container it is mounted at the root, with any path outside. */
function findFolder(): { readonly path: string; readonly version: 1 | 2 } | undefined {
  const lines = readText('/proc/self/cgroup').split('\n')
  const v1 = lines.find((line) => line.split(':')[1]?.split(',').includes('memory'))
  const [root, file, version] =
    v1 === undefined
      ? (['/sys/fs/cgroup', 'memory.current', 2] as const)
      : (['/sys/fs/cgroup/memory', 'memory.usage_in_bytes', 1] as const)
  const line = v1 ?? lines.find((each) => each.startsWith('0::')) ?? ''
  const own = `${root}${line.split(':').slice(2).join(':')}`
  const path = [own, root].find((each) => readText(`${each}/${file}`) !== '')
  return path === undefined ? undefined : { path, version }
}

function readText(path: string): string {
  try {
    return files().readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
