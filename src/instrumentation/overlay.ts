const overlaid: unique symbol = Symbol.for('upkeep.overlaid')

type Member = (...args: never[]) => unknown

/**
 * Returns a client with some methods replaced. It has the class of the client; other methods run on the client itself,
 * so that they do not call the replacements. An existing overlay is returned unchanged.
 */
export function overlay<T extends object>(client: T, members: Readonly<Record<string, Member>>): T {
  if (Reflect.get(client, overlaid) === true) return client
  const own = new Map<PropertyKey, unknown>(Object.entries(members))
  const bound = new WeakMap<Member, Member>()
  const proxy: T = new Proxy(client, {
    get(target, key) {
      if (key === overlaid) return true
      const replacement = own.get(key)
      if (replacement !== undefined) return replacement
      // Bound to the client instead of the proxy, since getters may read private fields.
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || isClass(value)) return value
      const method = value as Member
      const known = bound.get(method) ?? onTarget(method, target, () => proxy)
      bound.set(method, known)
      return known
    },
    set(target, key, value) {
      own.delete(key)
      return Reflect.set(target, key, value, target)
    },
  })
  return proxy
}

/** Methods that return the client for chaining return the overlay. */
function onTarget<T extends object>(method: Member, target: T, proxy: () => T): Member {
  return (...args) => {
    const result: unknown = Reflect.apply(method, target, args)
    return result === target ? proxy() : result
  }
}

function isClass(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false
}
