import { Injectable, type OnModuleDestroy } from '@nestjs/common'
import { Cron, Timeout } from '@nestjs/schedule'
import { Upkeep } from 'upkeep/nest'

@Injectable()
export class JobsService implements OnModuleDestroy {
  constructor(private readonly upkeep: Upkeep) {}

  @Cron('0 0 3 * * *')
  countStock() {}

  @Timeout(1)
  start() {
    throw new Error('no truck')
  }

  onModuleDestroy() {
    console.log(`destroyed while ${this.upkeep.availability.readiness}`)
  }
}
