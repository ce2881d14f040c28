import { afterAll, beforeAll } from 'vitest'
import type { TestServer } from './server-process.ts'

/** Starts a server before the tests of this `describe` and disposes of it after them. */
export function useServer(start: () => Promise<TestServer>): () => TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.dispose())
  return () => {
    if (server === undefined) {
      throw new Error('the server does not run')
    }
    return server
  }
}
