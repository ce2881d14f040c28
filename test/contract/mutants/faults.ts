import type { Answered, Asked, Breaking } from './mutant-server.ts'

/** Changes or removes a header field. */
export const withField = (
  name: string,
  value: string | undefined,
  when: (asked: Asked, answered: Answered) => boolean = always,
): Breaking => ({
  answer(answered, asked) {
    if (!when(asked, answered)) return answered
    const headers = new Map(answered.headers)
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
    return { ...answered, headers }
  },
})

/** Changes the content of responses whose path has this suffix. */
export const withText = (path: string, change: (text: string, asked: Asked) => string): Breaking => ({
  answer: (answered, asked) =>
    pathOf(asked).endsWith(path)
      ? { ...answered, body: Buffer.from(change(answered.body.toString(), asked)) }
      : answered,
})

/** Changes the status. */
export const withStatus = (status: number, when: (asked: Asked, answered: Answered) => boolean): Breaking => ({
  answer: (answered, asked) => (when(asked, answered) ? { ...answered, status } : answered),
})

/** Handles a request as another one. */
export const asThough = (change: (asked: Asked) => Partial<Asked>): Breaking => ({
  ask: (asked) => ({ ...asked, ...change(asked) }),
})

/** Appends bytes to a response. */
export const withMore = (behind: string, when: (asked: Asked, answered: Answered) => boolean): Breaking => ({
  answer: (answered, asked) => (when(asked, answered) ? { ...answered, behind } : answered),
})

export function withHeader(asked: Asked, name: string, value: string | undefined): Pick<Asked, 'headers'> {
  const headers = new Map(asked.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
  return { headers }
}

export function pathOf({ target }: Asked): string {
  return target.split('?')[0] ?? ''
}

export const isHead = ({ method }: Asked): boolean => method === 'HEAD'
export const isStatus =
  (status: number) =>
  (_: Asked, answered: Answered): boolean =>
    answered.status === status
export const isAt =
  (path: string) =>
  (asked: Asked): boolean =>
    pathOf(asked).endsWith(path)

function always(): boolean {
  return true
}
