/** The house as docs/architecture.md draws it: the one place that says which room stands where. */
export interface Plan {
  /** The floor of each room below `src/`, by its name without `.ts`. */
  readonly floors: ReadonlyMap<string, number>
  /** The floors of the public faces, of `adapters/` and of `examples/`. */
  readonly above: ReadonlyMap<'faces' | 'adapters' | 'examples', number>
  /** The rooms that the picture of the rooms describes: `http` is a folder, `clock.ts` a single file. */
  readonly described: readonly string[]
  /** The public faces: files at the root of `src/`. */
  readonly faces: readonly string[]
  /** The rooms and files, below `src/`, that may name Node's own modules. */
  readonly nodePlaces: readonly string[]
}

const roomName = /^[a-z][a-z0-9-]*(\.ts)?$/

export function parsePlan(markdown: string): Plan {
  const floors = new Map<string, number>()
  const above = new Map<'faces' | 'adapters' | 'examples', number>()
  for (const line of picture(markdown, 'Floors')) {
    const [, number, drawn] = /^ ?(\d) {2}(.*)$/.exec(line) ?? []
    if (number === undefined || drawn === undefined) continue
    const floor = Number(number)
    if (drawn.startsWith('the public faces')) above.set('faces', floor)
    for (const name of drawn.split(/ {2,}/).filter((word) => roomName.test(word))) {
      if (name === 'adapters' || name === 'examples') above.set(name, floor)
      else floors.set(name.replace(/\.ts$/, ''), floor)
    }
  }
  return { floors, above, ...describedRooms(markdown), nodePlaces: nodePlaces(markdown) }
}

function describedRooms(markdown: string): Pick<Plan, 'described' | 'faces'> {
  const described: string[] = []
  const faces: string[] = []
  for (const line of picture(markdown, 'Rooms')) {
    const [, names, description] = /^ {2}([a-z][a-z0-9./ -]*?) {2,}(\S.*)$/.exec(line) ?? []
    if (names === undefined || description === undefined) continue
    const rooms = names.split(' ').map((name) => name.replace(/\/$/, ''))
    if (description.startsWith('the public face')) faces.push(...rooms)
    else described.push(...rooms)
  }
  return { described, faces }
}

function nodePlaces(markdown: string): readonly string[] {
  const [sentence = ''] = /Node's own modules are named only in [\s\S]*?\.\n/.exec(markdown) ?? []
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place)
}

/** The lines of the first drawing below a heading. */
function picture(markdown: string, heading: string): readonly string[] {
  const [, drawing = ''] =
    new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`\\n([\\s\\S]*?)^\`\`\``, 'm').exec(markdown) ?? []
  return drawing.split('\n')
}
