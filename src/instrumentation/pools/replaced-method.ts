// biome-ignore lint/suspicious/noExplicitAny: what stands in for a method takes what that takes
type Method = (this: any, ...args: any[]) => unknown

/**
 * Puts another function in the place of an object's method, and answers how to put it back. Where somebody else has put
 * one on top of it meanwhile, that one stays, and the method is called through it.
 */
export function replaceMethod<K extends string>(
  object: { [key in K]: unknown },
  key: K,
  replacement: (original: Method) => Method,
): () => void {
  const original = object[key] as Method
  const wasOwn = Object.hasOwn(object, key)
  const replaced = replacement(original)
  let isOn = true
  const standIn: Method = function (...args) {
    return isOn ? replaced.apply(this, args) : original.apply(this, args)
  }
  object[key] = standIn as (typeof object)[K]
  return () => {
    isOn = false
    if (object[key] !== standIn) return
    if (wasOwn) object[key] = original as (typeof object)[K]
    else delete (object as Partial<typeof object>)[key]
  }
}
