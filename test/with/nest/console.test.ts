import { bearerToken } from 'upkeep'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useConsoleBrowser } from '../../console/console-browser.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { platforms, startNest } from './application/start.ts'

const token = 'let-me-in'

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  describe('the console of a service with Nest', () => {
    const { open, signIn, visit } = useConsoleBrowser(executablePath)

    it.each(platforms)('shows every screen, over %s', async (platform) => {
      const { app, url } = await startNest(platform, {
        expose: ['health', 'metrics', 'mappings', 'env', 'console'],
        authorize: bearerToken(token),
      })
      onTestFinished(() => app.close())
      const { page, complaints } = await open(`${url}/management`)
      await signIn(page, token)
      await visit(page, (text) => expect(text).not.toContain(token))
      expect(complaints).toEqual([])
    })
  })
})
