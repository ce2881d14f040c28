import { eventually, type Subject } from './subject.ts'

const tagOrder = ['uri', 'method', 'status', 'outcome', 'exception']

/** Returns the recorded requests in order, each as `uri method status outcome exception`. */
export function timed({ management: { meters } }: Subject): readonly string[] {
  return [...meters.snapshot('http.server.requests')]
    .flatMap((one) => {
      const tags = new Map(one.id.tags.map(({ key, value }) => [key, value]))
      return one.kind === 'timer' ? Array<string>(one.count).fill(tagOrder.map((key) => tags.get(key)).join(' ')) : []
    })
    .sort()
}

export function active({ management: { meters } }: Subject): number {
  const methods = [...meters.snapshot('http.server.requests.active')]
  return methods.reduce((sum, one) => sum + (one.kind === 'longTaskTimer' ? one.activeTasks : Number.NaN), 0)
}

/** Waits until exactly these requests are recorded: a response may be read before the server has closed it. */
export async function wantTimed(subject: Subject, ...expected: readonly string[]): Promise<void> {
  const wanted = [...expected].sort().join('\n')
  const told = () => timed(subject).join('\n')
  await eventually(
    subject,
    () => told() === wanted && active(subject) === 0,
    wanted,
    () => `${told()}\nactive: ${active(subject)}`,
  )
}

export async function wantActive(subject: Subject, count: number): Promise<void> {
  await eventually(
    subject,
    () => active(subject) === count,
    `${count} active`,
    () => `${active(subject)} active`,
  )
}
