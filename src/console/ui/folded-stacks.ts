/** A function in a flame graph, by the functions that called it. */
export interface Frame {
  readonly name: string
  readonly parent: Frame | undefined
  readonly children: readonly Frame[]
  /** With what it calls, in the unit of the profile. */
  readonly total: number
  /** Without what it calls. */
  readonly self: number
}

interface GrowingFrame extends Frame {
  readonly children: GrowingFrame[]
  readonly byName: Map<string, GrowingFrame>
  total: number
  self: number
}

/** A function in all stacks. */
export interface FunctionFacts {
  readonly name: string
  readonly self: number
  readonly total: number
  readonly frame: Frame
}

/** What a flame graph draws of a frame, in pixels and rows. */
export interface Box {
  readonly frame: Frame
  readonly left: number
  readonly row: number
  readonly width: number
}

/** Deeper frames are not drawn: a canvas has a greatest height. */
const maxRows = 400

/** Reads folded stacks: lines such as `main;a;b 1200`. */
export function parseFolded(text: string): Frame {
  const root = createFrame('all', undefined)
  for (const line of text.split('\n')) {
    const space = line.lastIndexOf(' ')
    const value = Number(line.slice(space + 1))
    if (space < 1 || !Number.isFinite(value)) continue
    root.total += value
    let frame = root
    for (const name of line.slice(0, space).split(';')) {
      let child = frame.byName.get(name)
      if (child === undefined) {
        child = createFrame(name, frame)
        frame.byName.set(name, child)
        frame.children.push(child)
      }
      child.total += value
      frame = child
    }
    frame.self += value
  }
  return root
}

/** Returns what is drawn if a frame takes the whole width: the frames above it, and those below that are wide enough. */
export function layOut(shown: Frame, width: number): readonly Box[] {
  const chain: Frame[] = []
  for (let frame = shown.parent; frame !== undefined; frame = frame.parent) chain.unshift(frame)
  const boxes: Box[] = chain.map((frame, row) => ({ frame, left: 0, row, width }))
  const pending: Box[] = [{ frame: shown, left: 0, row: chain.length, width }]
  for (let box = pending.pop(); box !== undefined; box = pending.pop()) {
    if (box.width < 0.5 || box.row >= maxRows) continue
    boxes.push(box)
    let { left } = box
    for (const child of [...box.frame.children].sort((a, b) => b.total - a.total)) {
      const part = (box.width * child.total) / (box.frame.total || 1)
      pending.push({ frame: child, left, row: box.row + 1, width: part })
      left += part
    }
  }
  return boxes
}

/** Returns the functions with their sums over all stacks, those with the most time of their own first. */
export function functionsOf(root: Frame): readonly FunctionFacts[] {
  const sums = new Map<string, { name: string; self: number; total: number; frame: Frame }>()
  const pending: Frame[] = [...root.children]
  for (let frame = pending.pop(); frame !== undefined; frame = pending.pop()) {
    const { name, self, total } = frame
    const sum = sums.get(name)
    // In a recursion the outermost call contains the others.
    const added = isRecursive(frame) ? 0 : total
    if (sum === undefined) sums.set(name, { name, self, total: added, frame })
    else {
      sum.self += self
      sum.total += added
      if (total > sum.frame.total) sum.frame = frame
    }
    pending.push(...frame.children)
  }
  return [...sums.values()].sort((a, b) => b.self - a.self || b.total - a.total)
}

function isRecursive(frame: Frame): boolean {
  for (let { parent } = frame; parent !== undefined; parent = parent.parent) if (parent.name === frame.name) return true
  return false
}

function createFrame(name: string, parent: GrowingFrame | undefined): GrowingFrame {
  return { name, parent, children: [], byName: new Map(), total: 0, self: 0 }
}
