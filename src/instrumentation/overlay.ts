const overlaid: unique symbol = Symbol.for('upkeep.overlaid')

type Member = (...args: never[]) => unknown

/**
 * A client with some of its methods replaced. It is of the client's class, and all else is the client's own: its methods
 * run on the client itself, and so call each other and not what replaces them. What was overlaid already is answered as it is.
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
      // Of the client and not of the proxy: getters may read private fields.
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

/** What answers the client itself, to be chained, answers what stands for it. */
function onTarget<T extends object>(method: Member, target: T, proxy: () => T): Member {
  return (...args) => {
    const result: unknown = Reflect.apply(method, target, args)
    return result === target ? proxy() : result
  }
}

function isClass(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false
}
