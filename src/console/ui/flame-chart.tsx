import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Box, type Frame, type FunctionFacts, functionsOf, layOut, parseFolded } from './folded-stacks.ts'
import { formatBytes, formatSeconds, formatShare } from './format.ts'
import { shownText } from './shown-text.ts'
import { type Column, Table } from './table.tsx'
import { useThemeVersion } from './theme.tsx'

const rowHeight = 20

/** A profile as a flame graph, with a table of its functions. */
export function FlameChart(props: { readonly folded: string; readonly unit: 'microseconds' | 'bytes' }) {
  const { folded, unit } = props
  const root = useMemo(() => parseFolded(folded), [folded])
  const functions = useMemo(() => functionsOf(root).slice(0, 500), [root])
  const [shown, setShown] = useState<Frame>(root)
  const [search, setSearch] = useState('')
  const [hovered, setHovered] = useState<Frame>()
  useEffect(() => setShown(root), [root])
  const format = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatSeconds(value / 1e6))
  const columns: readonly Column<FunctionFacts>[] = [
    {
      name: 'name',
      title: 'Function',
      isWide: true,
      cell: ({ name, frame }) => (
        <button type="button" class="plain" onClick={() => setShown(frame)}>
          {shownText(name, 300)}
        </button>
      ),
    },
    { name: 'self', title: 'Self', isNumber: true, sort: ({ self }) => self, cell: ({ self }) => format(self) },
    { name: 'total', title: 'Total', isNumber: true, sort: ({ total }) => total, cell: ({ total }) => format(total) },
    {
      name: 'share',
      title: 'Self, share',
      isNumber: true,
      cell: ({ self }) => formatShare(self / (root.total || 1)),
    },
  ]
  if (root.total === 0) return <p class="quiet">The profile is empty: the process was idle.</p>
  const about = hovered ?? shown
  return (
    <>
      <div class="filters">
        <label class="field">
          <span>Mark functions</span>
          <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        <button type="button" aria-disabled={shown === root} onClick={() => setShown(root)}>
          Show all
        </button>
      </div>
      <Canvas shown={shown} search={search} onHover={setHovered} onSelect={(frame) => setShown(frame ?? root)} />
      <p class="quiet place">
        {shownText(about.name, 300)} · {format(about.total)} · {formatShare(about.total / root.total)}
      </p>
      <Table
        label="Functions"
        rows={functions}
        columns={columns}
        keyOf={({ name }) => name}
        sortedBy={{ column: 'self', isAscending: false }}
        height={12}
      />
    </>
  )
}

function Canvas(props: {
  readonly shown: Frame
  readonly search: string
  readonly onHover: (frame: Frame | undefined) => void
  readonly onSelect: (frame: Frame | undefined) => void
}) {
  const { shown, search, onHover, onSelect } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const boxes = useRef<readonly Box[]>([])
  const [width, setWidth] = useState(0)
  const theme = useThemeVersion()
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (canvas.current === null || width === 0) return
    boxes.current = layOut(shown, width)
    draw(canvas.current, boxes.current, width, search.toLowerCase())
    // The theme is that of the style that is read.
  }, [shown, search, width, theme])
  const frameAt = (event: MouseEvent) => {
    const row = Math.floor(event.offsetY / rowHeight)
    return boxes.current.find(
      (box) => box.row === row && event.offsetX >= box.left && event.offsetX < box.left + box.width,
    )?.frame
  }
  return (
    <canvas
      ref={canvas}
      class="flames"
      role="img"
      aria-label="Flame graph; the table of functions has its figures"
      onMouseMove={(event) => onHover(frameAt(event))}
      onMouseLeave={() => onHover(undefined)}
      onClick={(event) => onSelect(frameAt(event))}
    />
  )
}

function draw(canvas: HTMLCanvasElement, boxes: readonly Box[], width: number, search: string): void {
  const height = (Math.max(0, ...boxes.map(({ row }) => row)) + 1) * rowHeight
  const context = canvas.getContext('2d')
  if (context === null) return
  canvas.width = width * devicePixelRatio
  canvas.height = height * devicePixelRatio
  canvas.style.height = `${height}px`
  context.scale(devicePixelRatio, devicePixelRatio)
  context.font = `12px ${getComputedStyle(canvas).fontFamily}`
  context.textBaseline = 'middle'
  for (const { frame, left, row, width: wide } of boxes) {
    const isMarked = search !== '' && frame.name.toLowerCase().includes(search)
    context.fillStyle = isMarked ? '#d9a5f5' : colourOf(frame.name)
    context.fillRect(left, row * rowHeight, Math.max(wide - 0.5, 0.5), rowHeight - 1)
    if (wide < 28) continue
    context.save()
    context.beginPath()
    context.rect(left, row * rowHeight, wide - 4, rowHeight)
    context.clip()
    context.fillStyle = '#1b1b1b'
    context.fillText(shownText(frame.name, 200), left + 4, row * rowHeight + rowHeight / 2)
    context.restore()
  }
}

/** Warm colours for the application, others for packages and for Node. */
function colourOf(name: string): string {
  let hash = 0
  for (let at = 0; at < Math.min(name.length, 200); at++) hash = (hash * 31 + name.charCodeAt(at)) % 997
  const hue = name.includes('node_modules') ? 190 : name.includes('node:') ? 120 : 28
  return `hsl(${hue} 62% ${66 + (hash % 14)}%)`
}
