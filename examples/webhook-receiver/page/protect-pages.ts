import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

/**
 * The content security policy: a page may use only its own script and style, identified by hash, and requests to this
 * server.
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

/** Prevents browsers from executing content from senders, even if a page fails to escape it. */
export const protectPages: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  next()
}

function sourceHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
