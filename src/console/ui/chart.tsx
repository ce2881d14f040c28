import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { formatBytes, formatTime } from './format.ts'
import { useThemeVersion } from './theme.tsx'

/** A line of a chart. */
interface Line {
  readonly name: string
  readonly values: readonly (number | null)[]
}

interface ChartProps {
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly times: readonly number[]
  readonly lines: readonly Line[]
  readonly format: (value: number | null | undefined) => string
  /** The least value of the top of the scale, such as 1 for a share. */
  readonly atLeast?: number
  /** A value with a line of its own, such as a limit of memory. */
  readonly limit?: { readonly name: string; readonly value: number } | undefined
  readonly height?: number
}

/** The distances of the marks of a scale in bytes. */
const binarySteps = Array.from({ length: 50 }, (_, power) => 2 ** power)

/** The most rows of the table behind a chart. */
const maxRows = 60

/** Lines over time, with a legend of their latest values, and a table behind them. */
export function Chart(props: ChartProps) {
  const { title, times, lines, format } = props
  const figure = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const theme = useThemeVersion()
  const names = lines.map(({ name }) => name).join('\n')

  useEffect(() => {
    const [target, root] = [canvas.current, figure.current]
    if (!target || !root) return
    const made = new uPlot(optionsOf(root, target.clientWidth, props, setHovered), dataOf(times, lines), target)
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: target.clientWidth, height: made.height }))
    observer.observe(target)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [names, theme, props.limit?.value, format])
  useEffect(() => plot.current?.setData(dataOf(times, lines)), [times, lines])

  const at = hovered ?? times.length - 1
  return (
    <figure class="chart" ref={figure}>
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="legend">
          {lines.map(({ name, values }, index) => (
            <span key={name}>
              <i class={`swatch line-${index % 8}`} aria-hidden="true" /> {name} <b>{format(values[at])}</b>
            </span>
          ))}
          {hovered === null ? null : <span class="quiet">{formatTime(times[hovered] ?? 0)}</span>}
        </span>
      </figcaption>
      <div ref={canvas} class="plot" aria-hidden="true" />
      <ChartTable {...props} />
    </figure>
  )
}

/** The values of a chart as a table, rendered only while it is open. */
function ChartTable({ title, times, lines, format }: ChartProps) {
  const [isOpen, setOpen] = useState(false)
  const rows = isOpen
    ? times
        .map((_, index) => index)
        .slice(-maxRows)
        .reverse()
    : []
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={`${title}: table`}>Table</summary>
      {isOpen ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
        <section class="scroll" tabIndex={0} aria-label={`${title}, the last ${rows.length} samples`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {lines.map(({ name }) => (
                  <th scope="col" key={name} class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={times[row]}>
                  <td>{formatTime(times[row] ?? 0)}</td>
                  {lines.map(({ name, values }) => (
                    <td key={name} class="number">
                      {format(values[row])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
    </details>
  )
}

function dataOf(times: readonly number[], lines: readonly Line[]): uPlot.AlignedData {
  return [times.map((time) => time / 1_000), ...lines.map(({ values }) => [...values])]
}

function optionsOf(
  root: HTMLElement,
  width: number,
  { lines, format, limit, atLeast = 0, height = 130 }: ChartProps,
  onHover: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(root)
  const colours = [...root.querySelectorAll('.swatch')].map((swatch) => getComputedStyle(swatch).color)
  const axis = {
    stroke: style.color,
    font: `11px ${style.fontFamily}`,
    grid: { stroke: style.borderTopColor, width: 1 },
    ticks: { show: false },
  }
  return {
    width: Math.max(width, 50),
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, sync: { key: 'time' }, points: { size: 5 } },
    scales: { y: { range: (_, __, max) => [0, Math.max((max ?? 0) * 1.1, atLeast, limit?.value ?? 0) || 1] } },
    axes: [
      { ...axis, space: 70, size: 24, values: (_, ticks) => ticks.map((tick) => formatTime(tick * 1_000)) },
      {
        ...axis,
        ...(format === formatBytes && { incrs: binarySteps }),
        space: 34,
        size: 64,
        values: (_, ticks) => ticks.map((tick) => format(tick)),
      },
    ],
    series: [
      {},
      ...lines.map(({ name }, index) => ({
        label: name,
        stroke: colours[index] ?? style.color,
        width: 1.5,
        points: { show: false },
        spanGaps: false,
      })),
    ],
    hooks: {
      setCursor: [(made) => onHover(made.cursor.idx ?? null)],
      draw: limit === undefined ? [] : [(made) => drawLimit(made, limit, style.color)],
    },
  }
}

function drawLimit(made: uPlot, limit: { readonly name: string; readonly value: number }, colour: string): void {
  const { ctx, bbox } = made
  const y = made.valToPos(limit.value, 'y', true)
  ctx.save()
  ctx.strokeStyle = colour
  ctx.fillStyle = colour
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.setLineDash([4, 4])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.fillText(limit.name, bbox.left + 4, y + 12 * devicePixelRatio)
  ctx.restore()
}
