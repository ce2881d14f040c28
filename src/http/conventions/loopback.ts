/**
 * Whether an IP address is a loopback address, which other machines cannot connect to (RFC 1122 §3.2.1.3, RFC 4291
 * §2.5.3).
 */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address)
}

/**
 * Whether a `Host` field, with or without a port, names a loopback address. `localhost` and names below it never
 * resolve to another machine (RFC 6761 §6.3); any other name may have been made to resolve to this one.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return /^(?:[a-z\d-]+\.)*localhost\.?$/.test(name) || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))
}
