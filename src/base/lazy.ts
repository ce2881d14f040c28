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

/** Defines a member whose value is read from a function, which may throw. Returns the object. */
export function defineGetter<T extends object, K extends string, V>(
  object: T,
  name: K,
  get: () => V,
): T & { readonly [Name in K]: V } {
  return Object.defineProperty(object, name, { get, enumerable: true }) as T & { readonly [Name in K]: V }
}
