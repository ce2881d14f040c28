import { useState } from 'preact/hooks'
import { formatSeconds } from './format.ts'
import { hashOfMember, navigate, useInterval, useLive } from './hooks.ts'
import { serviceNow } from './live.ts'
import { hasCredential, RequestError, signOut } from './session.ts'
import { shownText } from './shown-text.ts'
import { ThemeSwitch } from './theme.tsx'
import { Badge, Status } from './widgets.tsx'

/** Which service this is, how it is, and whether what is shown is live. */
export function TopBar(props: { readonly member: string; readonly onSignedOut: (refusal: RequestError) => void }) {
  const { overview, application, remaining } = useLive()
  const leave = () => {
    signOut()
    props.onSignedOut(new RequestError(401, 'Signed out.', { bearer: true, basic: true }))
  }
  return (
    <header class="top">
      <p class="service">
        <strong>{shownText(application?.name ?? 'Service', 100)}</strong>
        {application?.version === undefined ? null : <span>{shownText(application.version, 60)}</span>}
        {application?.commit === undefined ? null : <code>{shownText(application.commit, 12)}</code>}
        {overview === undefined ? null : <Status status={overview.health.status} />}
      </p>
      <div class="tools">
        {application === undefined ? null : <Uptime startedAt={application.startedAt} />}
        <ConnectionState />
        <MemberSelect member={props.member} members={remaining ?? overview?.members ?? []} />
        <ThemeSwitch />
        {hasCredential() ? (
          <button type="button" onClick={leave}>
            Sign out
          </button>
        ) : null}
      </div>
    </header>
  )
}

/** Selects the member of a cluster that all screens show; the address has it. */
function MemberSelect(props: { readonly member: string; readonly members: readonly string[] }) {
  const { member, members } = props
  const isGone = member !== '' && !members.includes(member)
  if (members.length < 2 && !isGone) return null
  return (
    <label class="field">
      <span>Member</span>
      <select value={member} onChange={(event) => navigate(hashOfMember(event.currentTarget.value))}>
        <option value="">all</option>
        {(isGone ? [member, ...members] : members).map((each) => (
          <option key={each} value={each}>
            {shownText(each, 60)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Uptime(props: { readonly startedAt: number }) {
  const [, setTick] = useState(0)
  useInterval(() => setTick((before) => before + 1), 1_000)
  return (
    <span class="quiet">up {formatSeconds(Math.max(0, Math.round((serviceNow() - props.startedAt) / 1_000)))}</span>
  )
}

function ConnectionState() {
  const { connection } = useLive()
  const [, setTick] = useState(0)
  useInterval(() => setTick((before) => before + 1), 1_000)
  switch (connection.state) {
    case 'live':
      return <Badge tone="good">live</Badge>
    case 'waiting': {
      const seconds = Math.max(0, Math.ceil((connection.until - Date.now()) / 1_000))
      return (
        <span title={connection.reason}>
          <Badge tone="warn">reconnecting in {seconds} s</Badge>
        </span>
      )
    }
    default:
      return <Badge tone="quiet">connecting</Badge>
  }
}
