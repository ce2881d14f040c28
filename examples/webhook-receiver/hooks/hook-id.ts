/** Whether a text is the id of a hook or a message, in the one form that they are written in: never that of a key. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
