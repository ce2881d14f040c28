import { type Component, findComponent } from './component.ts'

/** Which components belong to a group: names, paths such as `db/primary`, or `*` for all. */
export interface Membership {
  /** @default ['*'] */
  readonly include?: readonly string[] | undefined
  /** Wins over `include`. @default [] */
  readonly exclude?: readonly string[] | undefined
}

/**
 * The components of a group. A composite belongs to it with those of its parts that do.
 *
 * @throws RangeError naming a member that is no component.
 */
export function selectMembers(
  group: string,
  components: ReadonlyMap<string, Component>,
  { include = ['*'], exclude = [] }: Membership,
): ReadonlyMap<string, Component> {
  for (const member of [...include, ...exclude]) {
    if (member !== '*' && findComponent(components, member.split('/')) === undefined) {
      const known = [...components.keys()].join(', ')
      throw new RangeError(
        `The health group ${JSON.stringify(group)} names ${JSON.stringify(member)}, which is no component; there are: ${known}`,
      )
    }
  }
  return filterTree(components, '', (path) => includes(include, path) && !includes(exclude, path))
}

/** Whether a list names a path or something that it is part of. */
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
