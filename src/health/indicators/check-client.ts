/**
 * Checks that an indicator is given a client, at the start and not at the first probe.
 *
 * @throws TypeError naming the indicator where the client has none of the methods that it is known by.
 */
export function checkClient(indicator: string, client: unknown, expected: string, methods: readonly string[]): void {
  const isObject = (typeof client === 'object' && client !== null) || typeof client === 'function'
  if (isObject && methods.some((name) => typeof Reflect.get(client, name) === 'function')) return
  const received = isObject
    ? `${typeof client} without ${methods.join(', ')}`
    : String(client === null ? null : typeof client)
  throw new TypeError(`${indicator}: expected ${expected}, received ${received}`)
}
