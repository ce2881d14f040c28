import { HttpError } from './http-error.ts'

/** Too many logins of an address have failed (RFC 6585 §4). A public operation is then served to an unknown caller. */
export class LoginLimitError extends HttpError {
  constructor(seconds: number) {
    super(429, 'Too many failed logins from this address.', { headers: { 'Retry-After': String(seconds) } })
  }
}
