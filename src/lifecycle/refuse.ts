import { errorResponse } from '../http/error-response.ts'
import { HttpError } from '../http/errors/http-error.ts'
import type { ManagementRequest } from '../http/message.ts'
import type { Refuse } from './client-error.ts'

/** Stands for a request that could not be parsed. */
const unparsed: ManagementRequest = {
  method: 'GET',
  target: '',
  headers: {},
  body: () => ({ kind: 'parsed', value: undefined }),
  base: '',
}

/** Returns an error document for what is not a complete HTTP request. */
export const refuse: Refuse = (status, detail, headers = {}) =>
  errorResponse(new HttpError(status, detail, { headers }), unparsed)
