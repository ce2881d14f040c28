type Method = (this: unknown, ...args: unknown[]) => unknown

/**
 * Replaces a method of an object. Returns a function that restores it. If another replacement was applied later, it
 * stays, and calls the original method through this one.
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
