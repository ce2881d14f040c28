/**
 * The script of the page of a hook. It requests the newest messages every second, and receives 304 while they have not
 * changed. Content from senders is inserted as text only.
 */
export const pageScript = `'use strict'
const address = location.pathname + '/messages?pageSize=100'
const list = document.getElementById('messages')
const state = document.getElementById('state')
const shown = new Map()
let entityTag

function add(parent, name, text, className) {
  const element = document.createElement(name)
  element.dir = 'auto'
  if (text !== undefined) element.textContent = text
  if (className !== undefined) element.className = className
  parent.append(element)
  return element
}

function show(message) {
  const item = document.createElement('li')
  const head = add(item, 'header')
  const time = add(head, 'time', new Date(message.receivedAt).toLocaleString())
  time.dateTime = message.receivedAt
  if (message.username !== undefined) add(head, 'bdi', message.username, 'username')
  if (message.channel !== undefined) add(head, 'bdi', message.channel, 'channel')
  add(item, 'p', message.text, 'text')
  for (const name of ['attachments', 'props']) {
    if (message[name] === undefined) continue
    const details = add(item, 'details')
    add(details, 'summary', name)
    add(details, 'pre', JSON.stringify(message[name], undefined, 2))
  }
  return item
}

function update(messages) {
  let at = list.firstElementChild
  const kept = new Map()
  for (const message of messages) {
    const item = shown.get(message.id) ?? show(message)
    kept.set(message.id, item)
    if (item === at) at = at.nextElementSibling
    else list.insertBefore(item, at)
  }
  for (const [id, item] of shown) if (!kept.has(id)) item.remove()
  shown.clear()
  for (const [id, item] of kept) shown.set(id, item)
}

async function ask() {
  const headers = { Accept: 'application/json' }
  if (entityTag !== undefined) headers['If-None-Match'] = entityTag
  const response = await fetch(address, { headers, cache: 'no-store' })
  if (response.status === 404) return 'This hook is gone.'
  if (response.status === 401) return 'You are signed out: load this page again.'
  if (response.status === 200) {
    update(await response.json())
    entityTag = response.headers.get('ETag') ?? undefined
  } else if (response.status !== 304) {
    throw new Error('status ' + response.status)
  }
  state.textContent =
    shown.size === 0 ? 'No messages yet. They are shown as they arrive.' : 'Messages are shown as they arrive.'
}

async function keepAsking() {
  try {
    const end = await ask()
    if (end !== undefined) {
      state.textContent = end
      return
    }
  } catch (error) {
    state.textContent = 'The receiver does not answer (' + error.message + '). Trying again.'
  }
  setTimeout(keepAsking, document.hidden ? 10000 : 1000)
}
keepAsking()
`
