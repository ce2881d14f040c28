import { useState } from 'preact/hooks'
import { addressOf, requestJson } from '../session.ts'
import { shownLines, shownText } from '../shown-text.ts'
import { Badge } from '../widgets.tsx'

/** What the endpoint `threaddump` returns. */
interface ThreadDump {
  readonly threads: readonly {
    readonly threadId: number
    readonly threadName: string
    readonly threadState: string
    readonly inNative?: boolean
    readonly stackTrace: readonly {
      readonly className?: string
      readonly methodName?: string
      readonly lineNumber?: number
      readonly columnNumber?: number
    }[]
  }[]
  readonly activeResources?: Readonly<Record<string, number>>
}

/** The stacks of all threads, read when the user asks for them. */
export function Threads(props: { readonly path: string }) {
  const [dump, setDump] = useState<ThreadDump>()
  const [failure, setFailure] = useState('')
  const take = async () => {
    try {
      setDump((await requestJson(addressOf(props.path))) as ThreadDump)
      setFailure('')
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <button type="button" onClick={take}>
        {dump === undefined ? 'Read the stacks' : 'Read again'}
      </button>
      <span role="status">{failure === '' ? null : <Badge tone="bad">{shownText(failure)}</Badge>}</span>
      {dump?.threads.map(({ threadId, threadName, threadState, inNative, stackTrace }) => (
        <details key={threadId} open={stackTrace.length > 0}>
          <summary>
            {shownText(threadName, 200)}{' '}
            <Badge tone={threadState === 'RUNNABLE' ? 'good' : 'quiet'}>{threadState}</Badge>
            {inNative ? ' in native code' : ''}
          </summary>
          {stackTrace.length === 0 ? (
            <p class="quiet">{inNative ? 'Its stack cannot be read.' : 'It waits for events.'}</p>
          ) : (
            <pre>{shownLines(stackTrace.map(describeFrame).join('\n'))}</pre>
          )}
        </details>
      ))}
      {dump?.activeResources === undefined ? null : (
        <p class="quiet">
          Active resources of the main thread:{' '}
          {shownText(
            Object.entries(dump.activeResources)
              .map(([name, count]) => `${count} ${name}`)
              .join(', '),
          )}
        </p>
      )}
    </>
  )
}

function describeFrame(frame: ThreadDump['threads'][number]['stackTrace'][number]): string {
  const { className = '', methodName = '', lineNumber, columnNumber } = frame
  const place = [className, lineNumber, columnNumber].filter((part) => part !== undefined && part !== '').join(':')
  return `at ${methodName || '<anonymous>'} (${place})`
}
