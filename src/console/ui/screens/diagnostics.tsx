import { useState } from 'preact/hooks'
import { download } from '../download.ts'
import { formatBytes } from '../format.ts'
import { useLive } from '../hooks.ts'
import { OfResponder } from '../members.tsx'
import { addressOf } from '../session.ts'
import { shownText } from '../shown-text.ts'
import { Badge, Card, NotExposed } from '../widgets.tsx'
import { Captures } from './captures.tsx'
import { Profile } from './profile.tsx'
import { Startup } from './startup.tsx'
import { Threads } from './threads.tsx'

/** Profiles, threads, the heap, captures of the flight recorder, and the start-up. */
export function Diagnostics() {
  const links = useLive().overview?.links
  if (links === undefined) return <p class="quiet">Loading…</p>
  const { profile, threaddump, heapdump, captures, startup } = links
  return (
    <>
      <OfResponder />
      <Card title="Profile" wide>
        {profile === undefined ? <NotExposed endpoint="profile" /> : <Profile path={profile} />}
      </Card>
      <Card title="Threads" wide>
        {threaddump === undefined ? <NotExposed endpoint="threaddump" /> : <Threads path={threaddump} />}
      </Card>
      <Card title="Captures of the flight recorder" wide>
        {captures === undefined ? <NotExposed endpoint="captures" /> : <Captures path={captures} />}
      </Card>
      <Card title="Start-up" wide>
        {startup === undefined ? <NotExposed endpoint="startup" /> : <Startup path={startup} />}
      </Card>
      <Card title="Heap dump" wide>
        {heapdump === undefined ? <NotExposed endpoint="heapdump" /> : <HeapDump path={heapdump} />}
      </Card>
    </>
  )
}

/** States what a dump costs before it is taken. */
function HeapDump(props: { readonly path: string }) {
  const { samples, overview, application } = useLive()
  const [state, setState] = useState<'idle' | 'asked' | 'running'>('idle')
  const [outcome, setOutcome] = useState('')
  const heap = samples.values['heapUsed']?.at(-1) ?? overview?.vitals.heapUsed ?? 0
  const take = async () => {
    setState('running')
    try {
      const name = `${application?.name ?? 'service'}-${application?.pid ?? ''}.heapsnapshot`
      const size = await download(addressOf(props.path), name)
      setOutcome(`Downloaded ${formatBytes(size)}.`)
    } catch (error) {
      setOutcome(`No dump was taken: ${error instanceof Error ? error.message : error}`)
    }
    setState('idle')
  }
  return (
    <>
      <p>
        A snapshot of the heap for the panel Memory of Chrome DevTools. <b>It blocks the service</b> for seconds, and
        for more than a minute with many objects. It needs up to 12 times the used heap as memory: now about{' '}
        <b>{formatBytes(heap * 12)}</b>. It contains <b>all strings of the process</b>, passwords and tokens included.
      </p>
      {state === 'idle' ? (
        <button type="button" onClick={() => setState('asked')}>
          Take a heap dump…
        </button>
      ) : (
        <p>
          <Badge tone="warn">{state === 'running' ? 'The dump is taken.' : 'Block the service now?'}</Badge>{' '}
          <button
            type="button"
            class="primary"
            aria-disabled={state === 'running'}
            onClick={state === 'asked' ? take : undefined}
          >
            Take it
          </button>{' '}
          <button type="button" onClick={() => setState('idle')}>
            Cancel
          </button>
        </p>
      )}
      <p role="status" class="quiet">
        {shownText(outcome)}
      </p>
    </>
  )
}
