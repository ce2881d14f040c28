import Negotiator from 'negotiator'

/** Returns the media type that a client prefers of those offered; `undefined` if it accepts none of them. */
export function preferredOffer(accept: string, offered: readonly string[]): string | undefined {
  return new Negotiator({ headers: { accept } }).mediaType([...offered])
}

/** Returns whether a client prefers gzip to no coding. */
export function prefersGzip(accepted: string): boolean {
  return new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(['gzip', 'identity']) === 'gzip'
}
