import { VersioningType } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { ErrorDocumentFilter } from 'upkeep/nest'
import { AppModule } from './app.module'

async function bootstrap() {
  const app =
    process.argv[2] === 'fastify'
      ? await NestFactory.create(AppModule, new FastifyAdapter())
      : await NestFactory.create(AppModule)
  app.setGlobalPrefix('api')
  app.enableVersioning({ type: VersioningType.URI })
  app.useGlobalFilters(new ErrorDocumentFilter())
  if (process.argv[3] !== 'no-hooks') app.enableShutdownHooks()
  await app.listen(0, '127.0.0.1')
  console.log(`url ${await app.getUrl()}`)
}
bootstrap()
