import { useEffect, useState } from 'preact/hooks'
import { type ScreenId, screens } from './hash-route.ts'
import { linkTo, useRoute } from './hooks.ts'
import { followService } from './live.ts'
import { Notices } from './notices.tsx'
import { Dependencies } from './screens/dependencies.tsx'
import { Diagnostics } from './screens/diagnostics.tsx'
import { Environment } from './screens/environment.tsx'
import { Health } from './screens/health.tsx'
import { Logs } from './screens/logs.tsx'
import { Metrics } from './screens/metrics.tsx'
import { Overview } from './screens/overview.tsx'
import { Requests } from './screens/requests.tsx'
import { type RequestError, resume, setMember, whenRefused } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

const contents: Readonly<Record<ScreenId, () => preact.JSX.Element>> = {
  overview: Overview,
  requests: Requests,
  health: Health,
  metrics: Metrics,
  logs: Logs,
  diagnostics: Diagnostics,
  dependencies: Dependencies,
  environment: Environment,
}

type Access = 'unknown' | 'granted' | RequestError

/** The page: the form to sign in, or the screen that the address selects. */
export function App() {
  const [access, setAccess] = useState<Access>('unknown')
  useEffect(() => {
    whenRefused(setAccess)
    resume().then(
      () => setAccess('granted'),
      (error) => setAccess(error),
    )
  }, [])
  if (access === 'unknown') return <p class="quiet centred">Loading…</p>
  if (access !== 'granted') return <SignIn refusal={access} onSignedIn={() => setAccess('granted')} />
  return <Console onSignedOut={setAccess} />
}

function Console(props: { readonly onSignedOut: (refusal: RequestError) => void }) {
  const { screen, params } = useRoute()
  const member = params.get('member')?.[0] ?? ''
  // Before the requests of the screen, which are sent by effects.
  setMember(member)
  useEffect(() => followService(), [member])
  const Screen = contents[screen]
  const title = screens.find(({ id }) => id === screen)?.title ?? ''
  useEffect(() => {
    document.title = `${title} · upkeep`
  }, [title])
  return (
    <div class="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: a link to a part of this page */}
      <a class="skip" href="#content" onClick={skipToContent}>
        Skip to the content
      </a>
      <nav aria-label="Screens">
        <p class="brand">upkeep</p>
        <ul>
          {screens.map(({ id, title: name }) => (
            <li key={id}>
              <a href={linkTo(id)} aria-current={id === screen ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="content">
        <TopBar member={member} onSignedOut={props.onSignedOut} />
        <main id="content" tabIndex={-1} key={`${screen} ${member}`}>
          <Notices />
          <h1 class={screen === 'overview' ? 'hidden' : undefined}>{title}</h1>
          <Screen />
        </main>
      </div>
    </div>
  )
}

/** The fragment is that of the screen, so a link to `#content` would leave it. */
function skipToContent(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}
