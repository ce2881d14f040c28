import { Module } from '@nestjs/common'
import { ScheduleModule } from '@nestjs/schedule'
import { TerminusModule } from '@nestjs/terminus'
import { authorizeByGuard, UpkeepModule } from 'upkeep/nest'
import { AppController } from './app.controller'
import { DogHealthIndicator } from './dog.indicator'
import { JobsService } from './jobs.service'
import { KeyGuard } from './key.guard'

@Module({
  providers: [KeyGuard, DogHealthIndicator],
  exports: [KeyGuard, DogHealthIndicator],
})
export class SharedModule {}

@Module({
  imports: [
    SharedModule,
    TerminusModule,
    ScheduleModule.forRoot(),
    UpkeepModule.forRootAsync({
      imports: [SharedModule],
      inject: [KeyGuard, DogHealthIndicator],
      useFactory: (guard: KeyGuard, dog: DogHealthIndicator) => ({
        expose: ['health', 'prometheus', 'scheduledtasks'],
        authorize: authorizeByGuard(guard),
        health: {
          showDetails: 'always',
          indicators: { dog: { check: () => dog.isHealthy('dog'), cache: '0ms' } },
        },
        shutdown: { delay: '300ms' },
      }),
    }),
  ],
  controllers: [AppController],
  providers: [JobsService],
})
export class AppModule {}
