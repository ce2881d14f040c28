import {
  BadRequestException,
  Body,
  type CanActivate,
  ConflictException,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common'
import { Cron, Interval, ScheduleModule } from '@nestjs/schedule'
import { HealthIndicatorService, MemoryHealthIndicator, TerminusModule } from '@nestjs/terminus'
import type { Counter, TaggedMeters } from 'upkeep'
import {
  Counted,
  Indicator,
  type IndicatorProvider,
  InjectMeter,
  Meters,
  provideMeter,
  Timed,
  Traced,
  Upkeep,
} from 'upkeep/nest'

@Injectable()
export class Warehouse {
  isOpen = true
  tasks = 0

  @Counted({ name: 'warehouse.reserved' })
  reserve(quantity: number): number {
    if (quantity > 10) throw new RangeError('sold out')
    return quantity
  }

  @Cron('0 0 3 * * *', { name: 'stock.count' })
  count(): void {
    this.tasks += 1
  }

  @Interval(3_600_000)
  async restock(): Promise<void> {
    this.tasks += 1
    throw new Error('no truck')
  }
}

@Indicator('warehouse', { cache: '0ms' })
export class WarehouseIndicator implements IndicatorProvider {
  constructor(private readonly warehouse: Warehouse) {}

  check() {
    return this.warehouse.isOpen ? 'UP' : 'DOWN'
  }
}

@Indicator('courier', { cache: '0ms' })
export class CourierIndicator implements IndicatorProvider {
  constructor(
    private readonly health: HealthIndicatorService,
    private readonly warehouse: Warehouse,
  ) {}

  check() {
    const indicator = this.health.check('courier')
    return this.warehouse.isOpen ? indicator.up({ vans: 3 }) : indicator.down('no van')
  }
}

@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>()
    if (request.headers['x-api-key'] === undefined) throw new UnauthorizedException()
    request.user = { username: 'ada', roles: ['operator'] }
    return request.headers['x-api-key'] === 'secret'
  }
}

@Controller({ path: 'orders', version: '1' })
export class OrdersController {
  readonly placed: Counter
  /** Called with each request for the list, which waits for what it returns. */
  static onList: () => unknown = () => {}

  constructor(
    private readonly warehouse: Warehouse,
    private readonly upkeep: Upkeep,
    meters: Meters,
    @InjectMeter('orders.by.region') private readonly regions: TaggedMeters<Counter, ['region']>,
  ) {
    this.placed = meters.counter('orders.placed')
  }

  @Get(':id')
  @Timed()
  find(@Param('id', ParseIntPipe) id: number): object {
    return { id }
  }

  @Timed({ name: 'orders.listed' })
  @Traced()
  @Get()
  async list(): Promise<object> {
    await OrdersController.onList()
    return { readiness: this.upkeep.availability.readiness }
  }

  @Post()
  place(@Body() { quantity, region }: { quantity: number; region: string }): object {
    if (region === undefined) throw new BadRequestException(['region must be a string'])
    if (quantity === 7) throw new ConflictException({ message: 'Sold out.', code: 'SOLD_OUT' })
    this.warehouse.reserve(quantity)
    this.placed.increment()
    this.regions.with(region).increment()
    return { quantity }
  }

  @Get('secret/door')
  @UseGuards(KeyGuard)
  secret(): object {
    return {}
  }
}

@Module({
  imports: [TerminusModule.forRoot({ logger: false }), ScheduleModule.forRoot()],
  controllers: [OrdersController],
  providers: [
    Warehouse,
    WarehouseIndicator,
    CourierIndicator,
    KeyGuard,
    provideMeter('orders.by.region', (meters, name) => meters.counters(name, ['region'])),
  ],
  exports: [Warehouse, KeyGuard, TerminusModule],
})
export class OrdersModule {}

export { MemoryHealthIndicator }
