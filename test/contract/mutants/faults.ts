import type { Fault, ForwardedResponse, RequestToForward } from './mutant-server.ts'

/** Changes or removes a header field. */
export const withField = (
  name: string,
  value: string | undefined,
  when: (request: RequestToForward, response: ForwardedResponse) => boolean = always,
): Fault => ({
  changeResponse(response, request) {
    if (!when(request, response)) return response
    const headers = new Map(response.headers)
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
    return { ...response, headers }
  },
})

/** Changes the content of responses whose path has this suffix. */
export const withBody = (path: string, change: (text: string, request: RequestToForward) => string): Fault => ({
  changeResponse: (response, request) =>
    pathOf(request).endsWith(path)
      ? { ...response, body: Buffer.from(change(response.body.toString(), request)) }
      : response,
})

/** Changes the status. */
export const withStatus = (
  status: number,
  when: (request: RequestToForward, response: ForwardedResponse) => boolean,
): Fault => ({
  changeResponse: (response, request) => (when(request, response) ? { ...response, status } : response),
})

/** Handles a request as another one. */
export const withRequest = (change: (request: RequestToForward) => Partial<RequestToForward>): Fault => ({
  changeRequest: (request) => ({ ...request, ...change(request) }),
})

/** Appends bytes to a response. */
export const withTrailingBytes = (
  trailingBytes: string,
  when: (request: RequestToForward, response: ForwardedResponse) => boolean,
): Fault => ({
  changeResponse: (response, request) => (when(request, response) ? { ...response, trailingBytes } : response),
})

export function withHeader(
  request: RequestToForward,
  name: string,
  value: string | undefined,
): Pick<RequestToForward, 'headers'> {
  const headers = new Map(request.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
  return { headers }
}

export function pathOf({ target }: RequestToForward): string {
  return target.split('?')[0] ?? ''
}

export const isHead = ({ method }: RequestToForward): boolean => method === 'HEAD'
export const isStatus =
  (status: number) =>
  (_: RequestToForward, response: ForwardedResponse): boolean =>
    response.status === status
export const isAt =
  (path: string) =>
  (request: RequestToForward): boolean =>
    pathOf(request).endsWith(path)

function always(): boolean {
  return true
}
