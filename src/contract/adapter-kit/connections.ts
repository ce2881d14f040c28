import { active, eventually, openConnection, type Trial, timed, wantActive, wantTimed } from './subject.ts'

const get = (path: string, connection = 'keep-alive') =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: ${connection}\r\n\r\n`

const threeInOne = get('/hang/26') + get('/orders/27') + get('/orders/28')

/** Requests on connections that clients close early or reuse. */
export const connectionTrials: readonly Trial[] = [
  ...(
    [
      ['before the response', '/hang', false],
      ['during the response', '/endless', true],
    ] as const
  ).map(
    ([when, path, answered]): Trial => ({
      title: `a request whose client disconnects ${when} is recorded as aborted`,
      async attempt(subject) {
        const socket = await openConnection(subject, get(`${path}/23`))
        if (answered) await new Promise((resolve) => socket.once('data', resolve))
        await wantActive(subject, 1)
        socket.destroy()
        await wantTimed(subject, `${subject.template(`${path}/:id`)} GET 499 ABORTED none`)
      },
    }),
  ),
  {
    title: 'pipelined requests on a connection closed by the client are counted once each',
    async attempt(subject) {
      const socket = await openConnection(subject, threeInOne)
      const there = () => active(subject) + timed(subject).length
      await eventually(
        subject,
        () => there() === 3,
        'three requests',
        () => `${there()} requests`,
      )
      socket.destroy()
      const [hanging, waiting] = ['/hang/:id', '/orders/:id'].map(
        (path) => `${subject.template(path)} GET 499 ABORTED none`,
      )
      const wanted = [hanging, waiting, waiting].sort().join('\n')
      // A fully generated response may count as sent.
      const told = () => timed(subject).join('\n').replaceAll('200 SUCCESS', '499 ABORTED')
      await eventually(
        subject,
        () => told() === wanted && active(subject) === 0,
        wanted,
        () => `${told()}\nactive: ${active(subject)}`,
      )
    },
  },
  {
    title: 'a pipelined request on a connection closed by the client is recorded as aborted',
    needs: 'sentAnswers',
    async attempt(subject) {
      const socket = await openConnection(subject, threeInOne)
      await wantActive(subject, 3)
      socket.destroy()
      const aborted = (path: string) => `${subject.template(path)} GET 499 ABORTED none`
      await wantTimed(subject, aborted('/hang/:id'), aborted('/orders/:id'), aborted('/orders/:id'))
    },
  },
  {
    title: 'each request on a persistent connection is counted once',
    async attempt(subject) {
      const socket = await openConnection(subject, get('/orders/29').repeat(19) + get('/orders/29', 'close'))
      socket.resume()
      await new Promise((resolve) => socket.once('close', resolve))
      await wantTimed(subject, ...Array<string>(20).fill(`${subject.template('/orders/:id')} GET 200 SUCCESS none`))
    },
  },
]
