/**
 * Returns a function that creates a value when it is called for the first time, and returns the same value from then
 * on. Node's modules that not every application needs are loaded like this, with `process.getBuiltinModule`: imported
 * statically, they would take a third of the time that `import 'upkeep'` takes.
 */
export function lazy<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}

/** Defines members whose values are read from functions, which may throw. Returns the object. */
export function defineGetters<T extends object, G extends Readonly<Record<string, () => unknown>>>(
  object: T,
  getters: G,
): T & { readonly [Name in keyof G]: ReturnType<G[Name]> } {
  for (const [name, get] of Object.entries(getters)) Object.defineProperty(object, name, { get, enumerable: true })
  // Safe: each member is defined above.
  return object as T & { readonly [Name in keyof G]: ReturnType<G[Name]> }
}
