/** Known by mark and not by class: two copies of upkeep recognise each other's. */
const brand: unique symbol = Symbol.for('upkeep.Reply')

/** An answer that says more than its value: another status, where something is, further header fields. */
export interface Reply<Value = unknown> {
  readonly [brand]: true
  readonly status: number
  readonly value: Value | undefined
  /** A path below the base path, or an address. */
  readonly location: string | undefined
  /** `undefined` omits a field that the response would have by itself. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A reply that only a controller may give: what was asked for goes on. */
export interface Accepted<Value = unknown> extends Reply<Value> {
  readonly status: 202
}

/** A reply that refers to another address. */
export interface Redirect extends Reply<never> {
  readonly status: 301 | 303 | 307
}

export interface ReplyOptions {
  /** Further header fields of the response; `undefined` omits one, such as `Content-Location`. @default {} */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

function reply<Status extends number, Value>(
  status: Status,
  value: Value | undefined,
  location: string | undefined,
  { headers = {} }: ReplyOptions = {},
): Reply<Value> & { readonly status: Status } {
  return { [brand]: true, status, value, location, headers }
}

export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && brand in value
}

/** 200 with a value and header fields; a value alone needs no `ok`. */
export function ok<Value>(value: Value, options?: ReplyOptions): Reply<Value> {
  return reply(200, value, undefined, options)
}

/** 201: there is something new at `location`, a path below the base path such as `orders/7`. */
export function created<Value = never>(location: string, value?: Value, options?: ReplyOptions): Reply<Value> {
  return reply(201, value, location, options)
}

/** 202: it was begun, and how it goes is told at `location`. For controllers alone. */
export function accepted<Value = never>(location: string, value?: Value, options?: ReplyOptions): Accepted<Value> {
  return reply(202, value, location, options)
}

/** 204: done, and there is nothing to say. */
export function noContent(options?: ReplyOptions): Reply<never> {
  return reply(204, undefined, undefined, options)
}

/** 301: what was here is at `location` from now on. */
export function movedPermanently(location: string, options?: ReplyOptions): Redirect {
  return reply<301, never>(301, undefined, location, options)
}

/** 303: the answer is to be had by GET at `location`. */
export function seeOther(location: string, options?: ReplyOptions): Redirect {
  return reply<303, never>(303, undefined, location, options)
}

/** 307: the same request is to be sent to `location`. */
export function temporaryRedirect(location: string, options?: ReplyOptions): Redirect {
  return reply<307, never>(307, undefined, location, options)
}
