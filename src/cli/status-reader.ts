/** Maximum length of interim responses (1xx). */
const maxLength = 65_536

const statusLine = /^HTTP\/1\.[01] ([1-9]\d\d)[ \r]/

/** Length of a status line up to the character after the status. */
const enough = 'HTTP/1.1 200 '.length

/**
 * Returns a function that takes the pieces of an HTTP/1 response in latin1 and returns the status of the final response
 * as soon as it is known. Interim responses (1xx) are skipped. Buffers at most an incomplete interim response.
 *
 * @throws Error, from the function, for malformed HTTP, or interim responses longer than 64 KiB.
 */
export function createStatusReader(): (chunk: string) => number | undefined {
  let text = ''
  let length = 0
  return (chunk) => {
    text += chunk
    length += chunk.length
    while (text.length >= enough) {
      const status = Number(statusLine.exec(text)?.[1] ?? Number.NaN)
      if (Number.isNaN(status)) throw new Error('the response is not HTTP/1')
      if (status >= 200) return status
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) break
      text = text.slice(end + 4)
    }
    if (length > maxLength) throw new Error(`no final response within ${maxLength} bytes`)
    return undefined
  }
}
