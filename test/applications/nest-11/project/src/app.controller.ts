import { once } from 'node:events'
import { ConflictException, Controller, Get, Param, ParseIntPipe, UseGuards } from '@nestjs/common'
import { Meters, Timed, Upkeep } from 'upkeep/nest'
import { KeyGuard } from './key.guard'

@Controller({ path: 'orders', version: '1' })
export class AppController {
  constructor(
    private readonly meters: Meters,
    private readonly upkeep: Upkeep,
  ) {}

  @Timed()
  @Get(':id')
  async find(@Param('id', ParseIntPipe) id: number) {
    if (id === 409) throw new ConflictException('Sold out.')
    this.meters.counter('orders.found').increment()
    // An order that is not complete before the application ends.
    if (id === 1000) await once(this.upkeep.draining, 'abort')
    return { id, readiness: this.upkeep.availability.readiness }
  }

  @Get('secret/door')
  @UseGuards(KeyGuard)
  secret() {
    return {}
  }
}
