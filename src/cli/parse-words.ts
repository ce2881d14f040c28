/**
 * Returns the result of `parseArgs` of Node.
 *
 * @throws TypeError naming the unknown option, or the one whose value is missing, without Node's advice.
 */
export function parseWords<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    // Node advises on passing such a word as a positional argument, which does not apply here.
    throw new TypeError((error as Error).message.split('. ')[0])
  }
}
