/** The style of the page of a flame graph. */
export const flameGraphStyle = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif }
body { margin: 1rem }
h1 { font-size: 1.1rem; margin: 0 }
canvas { width: 100%; display: block; margin-top: .5rem }
#place { position: sticky; bottom: 0; margin: 0; padding: .3rem; background: Canvas; overflow-wrap: anywhere }
`

/**
 * The script of the page. A click shows a function and what it calls at full width; a click below the lowest function
 * shows everything again.
 */
export const flameGraphScript = `
'use strict'
const { unit, root } = JSON.parse(document.getElementById('data').textContent)
const canvas = document.getElementById('graph')
const place = document.getElementById('place')
const search = document.getElementById('search')
const found = document.getElementById('found')
const context = canvas.getContext('2d')
const height = 18
let shown = root
let boxes = []
let hovered

const parents = new Map()
const visit = [root]
for (let node; (node = visit.pop()); ) for (const child of node[2]) { parents.set(child, node); visit.push(child) }

const depthOf = (node) => {
  let deepest = 0
  const pending = [[node, 1]]
  for (let next; (next = pending.pop()); ) {
    deepest = Math.max(deepest, next[1])
    for (const child of next[0][2]) pending.push([child, next[1] + 1])
  }
  return deepest
}
const format = (value) =>
  unit === 'bytes' ? (value / 1024).toFixed(1) + ' KiB' : (value / 1e6).toFixed(1) + ' ms'
const isFound = (node) =>
  search.value !== '' && (node[0] + ' ' + node[3]).toLowerCase().includes(search.value.toLowerCase())
const colourOf = (node) => {
  if (isFound(node)) return 'hsl(270 70% 70%)'
  let hash = 0
  for (const letter of node[0]) hash = (hash * 31 + letter.codePointAt(0)) % 997
  const hue = node[3].includes('node_modules') ? 190 : node[3].startsWith('node:') ? 120 : 15
  return 'hsl(' + hue + ' 65% ' + (62 + (hash % 16)) + '%)'
}

function draw() {
  const width = canvas.clientWidth
  const chain = []
  for (let node = parents.get(shown); node; node = parents.get(node)) chain.unshift(node)
  const rows = chain.length + depthOf(shown)
  const scale = devicePixelRatio || 1
  canvas.width = width * scale
  canvas.height = rows * height * scale
  canvas.style.height = rows * height + 'px'
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.font = '12px system-ui, sans-serif'
  context.textBaseline = 'middle'
  boxes = []
  chain.forEach((node, at) => box(node, 0, at, width))
  const pending = [[shown, 0, chain.length, width]]
  for (let next; (next = pending.pop()); ) {
    const [node, x, row, wide] = next
    if (wide < 0.4) continue
    box(node, x, row, wide)
    let left = x
    for (const child of [...node[2]].sort((a, b) => b[1] - a[1])) {
      const part = node[1] === 0 ? 0 : (wide * child[1]) / node[1]
      pending.push([child, left, row + 1, part])
      left += part
    }
  }
  let sum = 0
  const roots = [root]
  for (let node; (node = roots.pop()); ) {
    if (isFound(node)) sum += node[1]
    else roots.push(...node[2])
  }
  found.value = search.value === '' ? '' : ((100 * sum) / (root[1] || 1)).toFixed(1) + ' %'
}

function box(node, x, row, wide) {
  boxes.push([node, x, row, wide])
  context.fillStyle = colourOf(node)
  context.fillRect(x, row * height, Math.max(wide - 0.5, 0.3), height - 1)
  if (wide < 30) return
  context.save()
  context.beginPath()
  context.rect(x, row * height, wide - 3, height)
  context.clip()
  context.fillStyle = '#111'
  context.fillText(node[0], x + 3, row * height + height / 2)
  context.restore()
}

const boxAt = ({ offsetX, offsetY }) => {
  const row = Math.floor(offsetY / height)
  return boxes.find(([, x, at, wide]) => at === row && offsetX >= x && offsetX < x + wide)?.[0]
}
canvas.addEventListener('mousemove', (event) => {
  const node = boxAt(event)
  if (node === hovered) return
  hovered = node
  place.textContent = node
    ? node[0] + ' · ' + format(node[1]) + ' · ' + ((100 * node[1]) / (root[1] || 1)).toFixed(1) + ' % · ' + node[3]
    : '\\u00a0'
})
canvas.addEventListener('click', (event) => {
  shown = boxAt(event) || root
  draw()
})
search.addEventListener('input', draw)
addEventListener('resize', draw)
draw()
`
