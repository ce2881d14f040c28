import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { requestedPause } from './retry-delays.ts'
import { type Credential, type RequestError, signIn } from './session.ts'
import { shownText } from './shown-text.ts'
import { ThemeSwitch } from './theme.tsx'
import { Badge } from './widgets.tsx'

type Way = 'bearer' | 'basic' | 'session'

/** Returns how many seconds the next attempt has to wait: twice as long after each refusal. */
function secondsAfter(refusals: number): number {
  return refusals === 0 ? 0 : Math.min(60, 2 ** (refusals - 1))
}

/** Asks for a credential that the service understands. */
export function SignIn(props: { readonly refusal: RequestError; readonly onSignedIn: () => void }) {
  const [refusal, setRefusal] = useState<RequestError | undefined>()
  const [refusals, setRefusals] = useState(0)
  const [waiting, setWaiting] = useState(0)
  const [isSending, setSending] = useState(false)
  const ways = waysOf(props.refusal)
  const [selected, setWay] = useState<Way>()
  const way = selected ?? ways[0] ?? 'bearer'

  useEffect(() => {
    if (waiting === 0) return
    const timer = setTimeout(() => setWaiting(waiting - 1), 1_000)
    return () => clearTimeout(timer)
  }, [waiting])

  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    if (isSending || waiting > 0) return
    const form = new FormData(event.currentTarget)
    setSending(true)
    try {
      await signIn(credentialOf(way, form), form.get('remember') === 'on')
      props.onSignedIn()
    } catch (error) {
      setRefusal(error as RequestError)
      setRefusals(refusals + 1)
      setWaiting(Math.max(secondsAfter(refusals + 1), Math.ceil(requestedPause(error) / 1_000)))
      setSending(false)
    }
  }

  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>Console</h1>
        {props.refusal.status === 401 ? null : <p>{shownText(props.refusal.message)}</p>}
        {ways.length > 1 ? (
          <fieldset class="choices">
            <legend>Sign in with</legend>
            {ways.map((each) => (
              <label key={each}>
                <input type="radio" name="way" checked={each === way} onChange={() => setWay(each)} /> {titles[each]}
              </label>
            ))}
          </fieldset>
        ) : null}
        {way === 'bearer' ? <Input name="token" label="Token" type="password" /> : null}
        {way === 'basic' ? <Input name="name" label="Name" type="text" /> : null}
        {way === 'basic' ? <Input name="password" label="Password" type="password" /> : null}
        {way === 'session' ? <p>Requests are sent with the cookies of this browser.</p> : null}
        {way === 'session' ? null : (
          <label class="check">
            <input type="checkbox" name="remember" /> Remember for this tab
            <small>
              It is kept in memory only, so a reload asks again. If checked, it is stored in the session storage of this
              tab until you sign out or close it.
            </small>
          </label>
        )}
        <p role="alert" class="refusal">
          {refusal === undefined ? null : <Badge tone="bad">{shownText(refusal.message)}</Badge>}
        </p>
        <button type="submit" class="primary" aria-disabled={waiting > 0 || isSending}>
          Sign in
        </button>
        {waiting > 0 ? <p class="quiet">The next attempt is possible in {waiting} s.</p> : null}
      </form>
      <ThemeSwitch />
    </main>
  )
}

const titles: Readonly<Record<Way, ComponentChildren>> = {
  bearer: 'a token',
  basic: 'name and password',
  session: 'the session of this browser',
}

function waysOf({ offers }: RequestError): readonly Way[] {
  const both = offers.bearer === offers.basic
  return [
    ...(both || offers.bearer ? ['bearer' as const] : []),
    ...(both || offers.basic ? ['basic' as const] : []),
    'session',
  ]
}

function credentialOf(way: Way, form: FormData): Credential {
  const value = (name: string) => String(form.get(name) ?? '')
  if (way === 'bearer') return { kind: 'bearer', token: value('token').trim() }
  return way === 'basic' ? { kind: 'basic', name: value('name'), password: value('password') } : { kind: 'session' }
}

function Input(props: { readonly name: string; readonly label: string; readonly type: 'text' | 'password' }) {
  const common = { id: `sign-in-${props.name}`, name: props.name, required: true, autoComplete: 'off' } as const
  return (
    <div class="field">
      <label for={common.id}>{props.label}</label>
      {props.type === 'password' ? <input {...common} type="password" /> : <input {...common} type="text" />}
    </div>
  )
}
