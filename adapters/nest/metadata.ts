import type {} from '@nestjs/core'

/** Copies what decorators have stored on a method to the function that replaces it. */
export function copyMetadata(from: object, to: object): void {
  for (const key of Reflect.getOwnMetadataKeys(from)) {
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, from), to)
  }
}

/** Returns a function under the name, the length and the metadata of the one that it replaces. */
export function standInFor<F extends object>(original: object, standIn: F): F {
  for (const key of ['name', 'length']) {
    const property = Object.getOwnPropertyDescriptor(original, key)
    if (property !== undefined) Object.defineProperty(standIn, key, property)
  }
  copyMetadata(original, standIn)
  return standIn
}

/** Does the same as `@Inject(token)` of Nest, for a parameter of a constructor or a property. */
export function inject(token: unknown): ParameterDecorator & PropertyDecorator {
  return (target: object, key: string | symbol | undefined, index?: number) => {
    const isParameter = index !== undefined
    const owner = isParameter ? target : target.constructor
    const list = isParameter ? 'self:paramtypes' : 'self:properties_metadata'
    const known: readonly object[] = Reflect.getMetadata(list, owner) ?? []
    Reflect.defineMetadata(list, [...known, isParameter ? { index, param: token } : { key, type: token }], owner)
  }
}
