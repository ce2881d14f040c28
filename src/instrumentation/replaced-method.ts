type Method = (this: unknown, ...args: unknown[]) => unknown

/** Called in place of a method, with the original one and what the method was called on and with. */
type Replacement = (original: Method, self: unknown, args: unknown[]) => unknown

/**
 * Replaces a method of an object. Returns a function that restores it. If another replacement was applied later, it
 * stays, and calls the original method through this one.
 */
export function replaceMethod<K extends string>(
  object: { [key in K]: unknown },
  key: K,
  replacement: Replacement,
): () => void {
  const original = object[key] as Method
  const wasOwn = Object.hasOwn(object, key)
  let isOn = true
  const standIn: Method = function (...args) {
    return isOn ? replacement(original, this, args) : original.apply(this, args)
  }
  object[key] = standIn as (typeof object)[K]
  return () => {
    isOn = false
    if (object[key] !== standIn) return
    if (wasOwn) object[key] = original as (typeof object)[K]
    else delete (object as Partial<typeof object>)[key]
  }
}
