import { createManagement, type ManagementOptions } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { startTelemetry } from 'upkeep/otlp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attributesOf } from '../support/otlp/decode.ts'
import { startReceiver } from '../support/otlp/receiver.ts'
import { exporters } from '../support/otlp/telemetry.ts'
import { startHttp } from '../support/start-http.ts'
import { frameworkNames, tracedServices } from '../support/traced-services.ts'

const key = 'cr3bcsv56nji8c8u4ibjurer55'

describe.each(exporters)('with the exporter %s:', (exporter) => {
  /** A service whose telemetry goes to a receiver of its own; `sent` is all that it has received at the end. */
  async function startService(framework: keyof typeof tracedServices, options: ManagementOptions = {}) {
    const receiver = await startReceiver()
    onTestFinished(receiver.dispose)
    const reports: string[] = []
    const report = (...reported: unknown[]) => void reports.push(reported.map(String).join(' '))
    const management = createManagement({ application: { name: 'orders' }, report, ...options })
    onTestFinished(() => management.close())
    instrument(management)
    const telemetry = await startTelemetry({ management, exporter, url: receiver.url, report })
    onTestFinished(() => telemetry.shutdown())
    const service = await startHttp(await tracedServices[framework](management, report))
    onTestFinished(service.dispose)
    return {
      ...service,
      management,
      reports,
      send: async (path: string, init?: RequestInit) => (await fetch(service.url + path, init)).text(),
      async sent() {
        await service.dispose()
        await telemetry.shutdown()
        const spans = receiver.exports.flatMap((one) => one.spans)
        const ofKind = (kind: string) =>
          spans
            .filter((span) => span.kind === kind)
            .map(({ name, attributes }) => ({ name, attributes: attributesOf(attributes) }))
        return {
          all: JSON.stringify(receiver.exports),
          servers: ofKind('SPAN_KIND_SERVER'),
          clients: ofKind('SPAN_KIND_CLIENT'),
        }
      },
    }
  }

  describe.each(frameworkNames)('a request exported by %s', (framework) => {
    it('has every attribute of the conventions', async () => {
      const service = await startService(framework)
      await service.send('/orders/17?key=secret', { method: 'GET', headers: { 'User-Agent': 'test/1' } })
      const { servers } = await service.sent()
      expect(servers).toEqual([
        {
          name: 'GET /orders/:id',
          attributes: {
            'http.request.method': 'GET',
            'http.response.status_code': expect.anything(),
            'http.route': '/orders/:id',
            'server.address': '127.0.0.1',
            'server.port': expect.anything(),
            'url.path': '/orders/17',
            'url.scheme': 'http',
            'user_agent.original': 'test/1',
          },
        },
      ])
      expect(Number(servers[0]?.attributes['http.response.status_code'])).toBe(200)
      expect(Number(servers[0]?.attributes['server.port'])).toBe(service.port)
    })

    it('does not contain secrets of its path, nor do its reports', async () => {
      const service = await startService(framework)
      for (const path of [`/hooks/${key}?key=${key}`, `/fail/${key}`, `/elsewhere/${key}`]) await service.send(path)
      const { servers, clients, all } = await service.sent()
      const paths = ['/hooks/REDACTED', '/fail/REDACTED', '/elsewhere/REDACTED']
      expect(servers.map(({ attributes }) => attributes['url.path'])).toEqual(paths)
      expect(clients.map(({ attributes }) => attributes['url.full'])).toEqual([
        `${service.url}/hooks/REDACTED?key=REDACTED`,
        `${service.url}/fail/REDACTED`,
        `${service.url}/elsewhere/REDACTED`,
      ])
      expect(all).not.toContain(key)
      expect(all).toContain('failed at postgres://***@db/orders')
      expect(all).not.toContain('hunter2')
      expect(service.reports.filter((report) => report.includes('failed'))).toHaveLength(1)
      expect(service.reports.join('\n')).not.toContain(key)
    })
  })

  describe('observation.redactPath', () => {
    it('takes precedence over the default, with the path and the template, unless it returns undefined', async () => {
      const calls = new Set<string>()
      const service = await startService('Express 5', {
        observation: {
          redactPath(path, template) {
            calls.add(`${path} ${template}`)
            return path.startsWith('/orders') || path.startsWith('/fail') ? '/mine' : undefined
          },
        },
      })
      for (const path of ['/orders/17', `/hooks/${key}`, '/fail/x']) await service.send(path)
      const { servers, clients } = await service.sent()
      expect(servers.map(({ attributes }) => attributes['url.path'])).toEqual(['/mine', '/hooks/REDACTED', '/mine'])
      expect(clients.map(({ attributes }) => attributes['url.full'])).toEqual([
        `${service.url}/mine`,
        `${service.url}/hooks/REDACTED`,
        `${service.url}/mine`,
      ])
      expect([...calls]).toContain(`/hooks/${key} /hooks/:key`)
      expect(service.reports).toContainEqual(expect.stringMatching(/^GET \/mine failed/))
      expect(service.management.observation.redactPath('/hooks/17', '/hooks/:key')).toBe('/hooks/REDACTED')
    })

    it.each([
      [
        'throws',
        () => {
          throw new Error('broken')
        },
        'Error: broken',
      ],
      [
        'rejects',
        async () => {
          throw new Error('broken')
        },
        'expected a string or undefined, received a promise',
      ],
      ['returns a number', () => 7, 'expected a string or undefined, received a number'],
    ])('is reported once and replaced by the default if it %s', async (_, redactPath, reason) => {
      const service = await startService('node:http', { observation: { redactPath } as never })
      await service.send(`/hooks/${key}`)
      const { all, servers } = await service.sent()
      expect(servers.map(({ attributes }) => attributes['url.path'])).toEqual(['/hooks/REDACTED'])
      expect(all).not.toContain(key)
      expect(service.reports).toEqual([expect.stringContaining('observation.redactPath failed')])
      expect(service.reports[0]).toContain(reason)
    })

    it('is rejected if it is not a function', () => {
      expect(() => createManagement({ observation: { redactPath: 'path' as never } })).toThrow(
        new TypeError(
          'createManagement: observation.redactPath: expected a function of a path and a template, received "path"',
        ),
      )
    })
  })
})
