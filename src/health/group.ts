import { describeValue } from '../base/describe-value.ts'
import { optionOutOfRange } from '../base/errors.ts'
import { type Component, findComponent } from './component.ts'

/** The components of a group: names, paths such as `db/primary`, or `*` for all. */
export interface HealthGroupMembers {
  /** @default ['*'] */
  readonly include?: readonly string[] | undefined
  /** Takes precedence over `include`. @default [] */
  readonly exclude?: readonly string[] | undefined
}

/**
 * Returns the components of a group. A composite is reduced to those of its parts that belong to the group.
 *
 * @throws RangeError if a member does not exist.
 */
export function selectMembers(
  group: string,
  components: ReadonlyMap<string, Component>,
  { include = ['*'], exclude = [] }: HealthGroupMembers,
): ReadonlyMap<string, Component> {
  for (const [option, members] of Object.entries({ include, exclude })) {
    const unknown = members.find((member) => member !== '*' && !findComponent(components, member.split('/')))
    if (unknown === undefined) continue
    const existing = [...components].filter(([, component]) => !('isPresent' in component))
    const known = existing.map(([name]) => name).join(', ')
    throw optionOutOfRange(
      `createManagement: health.groups.${group}.${option}: expected components of ${known}, ` +
        `received ${describeValue(unknown)}`,
    )
  }
  return filterTree(components, '', (path) => includes(include, path) && !includes(exclude, path))
}

/** Whether a list contains a path or one of its parents. */
function includes(members: readonly string[], path: string): boolean {
  return members.some((member) => member === '*' || path === member || path.startsWith(`${member}/`))
}

function filterTree(
  components: ReadonlyMap<string, Component>,
  prefix: string,
  isMember: (path: string) => boolean,
): ReadonlyMap<string, Component> {
  const members = new Map<string, Component>()
  for (const [name, component] of components) {
    const path = prefix + name
    if (component.kind === 'leaf') {
      if (isMember(path)) members.set(name, component)
    } else {
      const parts = filterTree(component.components, `${path}/`, isMember)
      if (parts.size > 0) members.set(name, { kind: 'composite', components: parts })
    }
  }
  return members
}
