import type { INestApplication } from '@nestjs/common'
import { Test, type TestingModule } from '@nestjs/testing'
import { Upkeep } from 'upkeep/nest'
import { AppController } from './app.controller'
import { AppModule } from './app.module'
import { DogHealthIndicator } from './dog.indicator'

describe('AppModule', () => {
  let app: INestApplication
  let url: string

  beforeEach(async () => {
    const fixture: TestingModule = await Test.createTestingModule({ imports: [AppModule] }).compile()
    app = fixture.createNestApplication()
    await app.listen(0, '127.0.0.1')
    url = await app.getUrl()
  })

  afterEach(async () => {
    await app.close()
  })

  it('serves the management, and observes requests', async () => {
    expect((await fetch(`${url}/orders/1`)).status).toBe(200)
    const scrape = await (await fetch(`${url}/management/prometheus`)).text()
    expect(scrape).toContain('uri="/orders/:id"')
    expect(scrape).toContain('orders_found_total 1')
  })

  it('reports an indicator of terminus that throws', async () => {
    app.get(DogHealthIndicator).isGood = false
    const response = await fetch(`${url}/management/health/dog`)
    expect([response.status, await response.json()]).toEqual([503, { status: 'DOWN', details: { badboys: 1 } }])
  })

  it('measures the instances of this application only', async () => {
    await app.get(AppController).find(1)
    const { meters } = app.get(Upkeep)
    expect(meters.timer('method.timed', { class: 'AppController', method: 'find', exception: 'none' }).count).toBe(1)
  })
})
