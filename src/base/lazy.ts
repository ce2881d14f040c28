/**
 * What `make` makes, when it is first asked for. Node's modules that not every application needs are loaded so, by
 * `process.getBuiltinModule`: as imports they would take a third of the time that importing upkeep takes.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
