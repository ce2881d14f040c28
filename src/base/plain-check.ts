/** Returns whether a value is valid. What is wrong with it is described by a schema, which is loaded for that. */
export type Check = (value: unknown) => boolean

/** Returns whether a value is `true` or `false`. */
export function isFlag(value: unknown): boolean {
  return typeof value === 'boolean'
}

/** Returns whether a value is a string that is not empty. */
export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Returns whether a value is a function. */
export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

/** Returns whether a value is an object of any class. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns a check for a string that matches. */
export function matches(grammar: RegExp): Check {
  return (value) => typeof value === 'string' && grammar.test(value)
}

/** Returns a check for one of some values. */
export function oneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value)
}

/** Returns a check for an array of such members. */
export function listOf(isMember: Check): Check {
  // `every` omits the holes of an array.
  return (value) => Array.isArray(value) && !value.includes(undefined) && value.every(isMember)
}

/** Returns a check for an object literal whose names and values are of one kind. */
export function recordOf(isName: Check, isMember: Check): Check {
  return (value) => isPlainObject(value) && namesOf(value).every((name) => isName(name) && isMember(value[name]))
}

/** Returns a check for an object literal that has no other members; each may be `undefined`. */
export function shape(members: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isPlainObject(value) &&
    namesOf(value).every((name) => {
      const isValid = Object.hasOwn(members, name) ? members[name] : undefined
      return isValid !== undefined && (value[name] === undefined || isValid(value[name]))
    })
}

/** Returns a check for an object that has these functions. */
export function hasFunctions(...names: readonly string[]): Check {
  return (value) =>
    isObject(value) && !Array.isArray(value) && names.every((name) => isFunction(Reflect.get(value, name)))
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype
}

/** Returns all own names; a symbol, which no check accepts, becomes an empty one. */
function namesOf(value: object): readonly string[] {
  return Reflect.ownKeys(value).map((name) => (typeof name === 'string' ? name : ''))
}
