import { useEffect, useRef, useState } from 'preact/hooks'
import { FlameChart } from '../flame-chart.tsx'
import { addressOf, request } from '../session.ts'
import { shownText } from '../shown-text.ts'
import { Badge } from '../widgets.tsx'

type Type = 'wall' | 'heap'

/** Records a profile of time or of allocated memory, and shows it as a flame graph. */
export function Profile(props: { readonly path: string }) {
  const [type, setType] = useState<Type>('wall')
  const [seconds, setSeconds] = useState(10)
  const [recording, setRecording] = useState<AbortController>()
  const [recorded, setRecorded] = useState<{ readonly folded: string; readonly type: Type }>()
  const [failure, setFailure] = useState('')
  const current = useRef<AbortController>(undefined)
  current.current = recording
  // A profile ends when nobody waits for it.
  useEffect(() => () => current.current?.abort(), [])

  const record = async () => {
    const controller = new AbortController()
    setRecording(controller)
    setFailure('')
    try {
      const address = addressOf(props.path, { seconds: String(seconds), type, format: 'folded' })
      const response = await request(address, { signal: controller.signal })
      setRecorded({ folded: await response.text(), type })
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error instanceof Error ? error.message : String(error))
    }
    setRecording(undefined)
  }

  return (
    <>
      <div class="filters">
        <label class="field">
          <span>Of</span>
          <select value={type} onChange={(event) => setType(event.currentTarget.value === 'heap' ? 'heap' : 'wall')}>
            <option value="wall">time</option>
            <option value="heap">allocated memory</option>
          </select>
        </label>
        <label class="field">
          <span>Seconds</span>
          <select value={String(seconds)} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
            {[2, 5, 10, 30, 60].map((each) => (
              <option key={each} value={String(each)}>
                {each}
              </option>
            ))}
          </select>
        </label>
        {recording === undefined ? (
          <button type="button" class="primary" onClick={record}>
            Record
          </button>
        ) : (
          <button type="button" onClick={() => recording.abort()}>
            Cancel
          </button>
        )}
        <span role="status">
          {recording === undefined ? '' : `Recording for ${seconds} s…`}
          {failure === '' ? null : <Badge tone="bad">{shownText(failure)}</Badge>}
        </span>
      </div>
      {recorded === undefined ? null : (
        <FlameChart folded={recorded.folded} unit={recorded.type === 'heap' ? 'bytes' : 'microseconds'} />
      )}
    </>
  )
}
