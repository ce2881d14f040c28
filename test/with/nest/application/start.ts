import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type INestApplication, Module, VersioningType } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { authorizeByGuard, ErrorDocumentFilter, Upkeep, UpkeepModule, type UpkeepModuleOptions } from 'upkeep/nest'
import { KeyGuard, MemoryHealthIndicator, OrdersModule } from './orders.ts'

export const platforms = ['express', 'fastify'] as const

export interface StartedNest {
  readonly app: INestApplication<Server>
  readonly upkeep: Upkeep
  readonly url: string
}

export interface StartOptions extends UpkeepModuleOptions {
  readonly errorDocuments?: boolean
}

/** Starts the orders application with a prefix and versions, as `main.ts` of an application does. */
export async function startNest(
  platform: (typeof platforms)[number],
  { errorDocuments = false, ...options }: StartOptions = {},
): Promise<StartedNest> {
  @Module({
    imports: [
      OrdersModule,
      UpkeepModule.forRootAsync({
        imports: [OrdersModule],
        inject: [KeyGuard, MemoryHealthIndicator],
        useFactory: async (guard: KeyGuard, memory: MemoryHealthIndicator) => ({
          expose: ['health', 'prometheus', 'metrics', 'scheduledtasks', 'mappings', 'shutdown'],
          authorize: authorizeByGuard(guard),
          health: {
            showDetails: 'always',
            indicators: { heap: () => memory.checkHeap('heap', 2 ** 40) },
          },
          report: () => {},
          ...options,
        }),
      }),
    ],
  })
  class AppModule {}

  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter()
  const app = await NestFactory.create<INestApplication<Server>>(AppModule, adapter, {
    logger: false,
    abortOnError: false,
  })
  app.setGlobalPrefix('api')
  app.enableVersioning({ type: VersioningType.URI })
  if (errorDocuments) app.useGlobalFilters(new ErrorDocumentFilter({ report: () => {} }))
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address() as AddressInfo
  return { app, upkeep: app.get(Upkeep), url: `http://127.0.0.1:${port}` }
}
