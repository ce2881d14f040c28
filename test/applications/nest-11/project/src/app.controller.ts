import { ConflictException, Controller, Get, Param, ParseIntPipe, UseGuards } from '@nestjs/common'
import { Meters, Timed } from 'upkeep/nest'
import { KeyGuard } from './key.guard'

@Controller({ path: 'orders', version: '1' })
export class AppController {
  constructor(private readonly meters: Meters) {}

  @Timed()
  @Get(':id')
  async find(@Param('id', ParseIntPipe) id: number) {
    if (id === 409) throw new ConflictException('Sold out.')
    this.meters.counter('orders.found').increment()
    await new Promise((resolve) => setTimeout(resolve, id))
    return { id }
  }

  @Get('secret/door')
  @UseGuards(KeyGuard)
  secret() {
    return {}
  }
}
