/** Whether a name matches. */
type NamePattern = (name: string) => boolean

/** Returns a matcher of a name in which `*` stands for any characters. Takes linear time. */
export function namePattern(text: string): NamePattern {
  const [start = '', ...others] = text.split('*')
  const end = others.pop()
  if (end === undefined) return (name) => name === text
  return (name) => {
    if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false
    let at = start.length
    for (const part of others) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= name.length - end.length
  }
}
