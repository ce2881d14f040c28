import { describe, expect, it } from 'vitest'
import { greeting } from '../../../examples/webhook-receiver/greeting.ts'
import { version } from '../../../examples/webhook-receiver/version.ts'

const receiver = {
  url: 'http://127.0.0.1:3000',
  database: 'PGlite in /data',
  hooks: 1,
  newKey: undefined,
}

describe('greeting', () => {
  it('shows a new hook, the curl that posts to it, and what else to try', () => {
    expect(greeting({ ...receiver, newKey: 'abcdefghijkmnopqrstuvwxyz2' }, true)).toBe(
      `webhook-receiver ${version} listens on http://127.0.0.1:3000
Messages are stored in PGlite in /data.

A new hook. Keep its address: only a hash of the key in it is stored, and it is not shown again.
  http://127.0.0.1:3000/hooks/abcdefghijkmnopqrstuvwxyz2
Post a message to it:
  curl -i -H 'Content-Type: application/json' -d '{"text":"Hello from curl"}' 'http://127.0.0.1:3000/hooks/abcdefghijkmnopqrstuvwxyz2'

How it is:
  curl -i 'http://127.0.0.1:3000/management/health'
  curl -i 'http://127.0.0.1:3000/management/health/readiness'
  curl -i 'http://127.0.0.1:3000/management/info'
With details:
  curl -i -H "Authorization: Bearer $MANAGEMENT_TOKEN" 'http://127.0.0.1:3000/management/health'
`,
    )
  })

  it('says on later starts how many hooks there are, and how to get another', () => {
    const text = greeting({ ...receiver, hooks: 2 }, false)
    expect(text).toContain('There are 2 hooks; ')
    expect(text).toContain('npm start -- --new-hook')
    expect(text).toContain('MANAGEMENT_TOKEN=')
    expect(greeting(receiver, false)).toContain('There is 1 hook; ')
  })

  it.each([
    ['http://0.0.0.0:80', 'http://127.0.0.1:80'],
    ['http://[::]:80', 'http://[::1]:80'],
    ['http://[::1]:80', 'http://[::1]:80'],
    ['http://192.0.2.1:80', 'http://192.0.2.1:80'],
  ])('tells where it listens, %s, and where to reach it, %s', (url, reachable) => {
    const text = greeting({ ...receiver, url }, false)
    expect(text.split('\n')[0]).toMatch(new RegExp(` listens on ${url.replaceAll(/[[\]]/g, '\\$&')}$`))
    expect(text).toContain(`'${reachable}/management/health'`)
  })
})
