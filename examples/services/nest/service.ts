import 'reflect-metadata'
import { type BeforeApplicationShutdown, Body, Controller, Get, Inject, Module, Param, Post, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { Management } from 'upkeep'
import { ErrorDocumentFilter, Upkeep, UpkeepModule } from 'upkeep/nest'
import { prepareShop, type Shop } from '../shop.ts'

const { options, open } = await prepareShop()

@Controller('orders')
class OrdersController implements BeforeApplicationShutdown {
  constructor(@Inject('shop') private readonly shop: Shop) {}

  @Get()
  list() {
    return this.shop.list()
  }

  @Get(':id')
  find(@Param('id') id: string) {
    return this.shop.find(id)
  }

  @Post()
  async place(@Body() draft: unknown, @Res({ passthrough: true }) res: { location(path: string): void }) {
    const order = await this.shop.place(draft)
    res.location(`/orders/${order.id}`)
    return order
  }

  // Its requests have finished.
  async beforeApplicationShutdown() {
    for (const telemetry of this.shop.flush) await telemetry.shutdown()
    await this.shop.close()
  }
}

@Module({
  imports: [UpkeepModule.forRoot(options)],
  controllers: [OrdersController],
  providers: [{ provide: 'shop', inject: [Upkeep], useFactory: (management: Management) => open(management) }],
})
class AppModule {}

const app = await NestFactory.create(AppModule)
app.useGlobalFilters(new ErrorDocumentFilter())
app.enableShutdownHooks()
await app.listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1')
console.info(app.getHttpServer().address())
