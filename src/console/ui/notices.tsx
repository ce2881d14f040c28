import { formatSeconds, formatTime } from './format.ts'
import { hashOfMember, useLive, useRoute } from './hooks.ts'
import { dismissRestart } from './live.ts'
import { shownText } from './shown-text.ts'
import { Badge } from './widgets.tsx'

/** Clocks that differ by less are not mentioned: a response takes time, too. */
const notedSkew = 5_000

/** What the reader of any screen has to know: that it is not live, that the service restarted, that clocks differ. */
export function Notices() {
  const { connection, application, restartedFrom, clockSkew, remaining } = useLive()
  const member = useRoute().params.get('member')?.[0] ?? ''
  return (
    <div class="notices" role="status">
      {remaining === undefined ? null : (
        <p>
          <Badge tone="bad">Gone</Badge> The member {shownText(member, 60)} is gone. Show{' '}
          {['', ...remaining].map((each) => (
            <>
              <a href={hashOfMember(each)}>{each === '' ? 'all members' : `member ${shownText(each, 60)}`}</a>{' '}
            </>
          ))}
        </p>
      )}
      {connection.state === 'waiting' && remaining === undefined ? (
        <p>
          <Badge tone="warn">Not live</Badge> {shownText(connection.reason)} Figures are those of the last sample; the
          charts show the gap.
        </p>
      ) : null}
      {restartedFrom !== undefined && application !== undefined ? (
        <p>
          <Badge tone="warn">Restarted</Badge>
          {` The service restarted at ${formatTime(application.startedAt)}. It is now `}
          <b>{nameOf(application)}</b>, before it was {nameOf(restartedFrom)}.{' '}
          <button type="button" onClick={dismissRestart}>
            Dismiss
          </button>
        </p>
      ) : null}
      {Math.abs(clockSkew) > notedSkew ? (
        <p>
          <Badge tone="quiet">Clocks differ</Badge> The clock of the service is{' '}
          {formatSeconds(Math.round(Math.abs(clockSkew) / 1_000))} {clockSkew > 0 ? 'ahead of' : 'behind'} that of this
          browser. Times are those of the service.
        </p>
      ) : null}
    </div>
  )
}

function nameOf(application: { readonly version?: string | undefined; readonly commit?: string | undefined }): string {
  const version = application.version === undefined ? 'a process without a version' : `version ${application.version}`
  return shownText(application.commit === undefined ? version : `${version} (${application.commit.slice(0, 12)})`, 200)
}
