/** An event of a stream of `text/event-stream`. */
interface StreamEvent {
  readonly event: string
  readonly data: string
}

/** A longer event is dropped, so that a broken stream cannot fill the memory of the page. */
const maxLength = 4_000_000

/**
 * Returns a function that takes the chunks of an event stream, and returns the events that are complete.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function createEventParser(): (chunk: string) => readonly StreamEvent[] {
  let rest = ''
  let isFirst = true
  let event = ''
  let data: string[] = []
  let length = 0

  const readLine = (line: string): StreamEvent | undefined => {
    if (line === '') return endEvent()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    if (field === 'data') {
      length += value.length
      if (length <= maxLength) data.push(value)
    }
    return undefined
  }

  const endEvent = (): StreamEvent | undefined => {
    const ended =
      data.length === 0 || length > maxLength ? undefined : { event: event || 'message', data: data.join('\n') }
    event = ''
    data = []
    length = 0
    return ended
  }

  return (chunk) => {
    rest += isFirst ? chunk.replace(/^\ufeff/, '') : chunk
    if (rest !== '') isFirst = false
    const events: StreamEvent[] = []
    // A carriage return at the end may be the first half of a line break.
    const complete = rest.endsWith('\r') ? rest.length - 1 : rest.length
    const lines = rest.slice(0, complete).split(/\r\n|\n|\r/)
    rest = `${lines.pop() ?? ''}${rest.slice(complete)}`
    if (rest.length > maxLength) rest = ''
    for (const line of lines) {
      const ended = readLine(line)
      if (ended !== undefined) events.push(ended)
    }
    return events
  }
}
