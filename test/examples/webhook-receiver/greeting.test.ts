import { describe, expect, it } from 'vitest'
import { greetListening, greetPrepared } from '../../../examples/webhook-receiver/greeting.ts'
import { version } from '../../../examples/webhook-receiver/version.ts'

const receiver = { url: 'http://127.0.0.1:3000', database: 'PGlite in /data' }
const created = {
  id: '0195f2a4-1c3e-7000-8000-000000000000',
  key: 'abcdefghijkmnopqrstuvwxyz2',
  signingSecret: undefined,
}

describe('the greeting', () => {
  it('shows where the receiver listens', () => {
    expect(greetListening(receiver)).toBe(`webhook-receiver ${version} listens on http://127.0.0.1:3000
Messages are stored in PGlite in /data.
`)
  })

  it('shows a new hook, the curl that posts to it, its page, and what else to try', () => {
    expect(
      greetPrepared(receiver, { created, hooks: 1 }, true),
    ).toBe(`Created a hook. Keep its address: only a hash of the key in it is stored, and it is not shown again.
  http://127.0.0.1:3000/hooks/abcdefghijkmnopqrstuvwxyz2
Post a message to it:
  curl -i -H 'Content-Type: application/json' -d '{"text":"Hello from curl"}' '${receiver.url}/hooks/${created.key}'

Open in a browser, as the user "operator" with MANAGEMENT_TOKEN as the password:
  http://127.0.0.1:3000/hooks/0195f2a4-1c3e-7000-8000-000000000000
  http://127.0.0.1:3000/management/console

Health and information; curl asks for the password, which is MANAGEMENT_TOKEN:
  curl -i -u operator 'http://127.0.0.1:3000/management/health'
  curl -i 'http://127.0.0.1:3000/management/health/readiness'
  curl -i 'http://127.0.0.1:3000/management/info'
`)
  })

  it('shows on later starts the number of hooks, their list, and how to create another', () => {
    const text = greetPrepared(receiver, { created: undefined, hooks: 2 }, true)
    expect(text).toContain('There are 2 hooks; ')
    expect(text).toContain('npm start -- --new-hook')
    expect(text).toContain('\n  http://127.0.0.1:3000/hooks\n')
    expect(greetPrepared(receiver, { created: undefined, hooks: 1 }, true)).toContain('There is 1 hook; ')
  })

  it('shows without a token how to enable access to messages', () => {
    const text = greetPrepared(receiver, { created, hooks: 1 }, false)
    expect(text).toContain('MANAGEMENT_TOKEN=<a secret>')
    expect(text).not.toContain(created.id)
    expect(text).not.toContain('-u operator')
  })

  it.each([
    ['http://0.0.0.0:80', 'http://127.0.0.1:80'],
    ['http://[::]:80', 'http://[::1]:80'],
    ['http://[::1]:80', 'http://[::1]:80'],
    ['http://192.0.2.1:80', 'http://192.0.2.1:80'],
  ])('shows that it listens on %s and can be reached at %s', (url, reachable) => {
    expect(greetListening({ ...receiver, url }).split('\n')[0]).toBe(`webhook-receiver ${version} listens on ${url}`)
    const text = greetPrepared({ ...receiver, url }, { created: undefined, hooks: 1 }, false)
    expect(text).toContain(`'${reachable}/management/health'`)
  })
})
