import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

/**
 * What a browser may do with a page: run the page's own script and style, which it knows by hash, and ask this server.
 */
const policy = [
  "default-src 'none'",
  `script-src '${sourceHash(pageScript)}'`,
  `style-src '${sourceHash(pageStyle)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Keeps what senders wrote from being run in the browser of whoever reads it, whatever the page does. */
export const protectPages: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  next()
}

function sourceHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
