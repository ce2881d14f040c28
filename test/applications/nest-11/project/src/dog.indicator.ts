import { Injectable } from '@nestjs/common'
import { HealthCheckError, HealthIndicator, type HealthIndicatorResult } from '@nestjs/terminus'

/** The way of terminus before 11: a class that extends HealthIndicator, and throws. */
@Injectable()
export class DogHealthIndicator extends HealthIndicator {
  isGood = true

  async isHealthy(key: string): Promise<HealthIndicatorResult> {
    const result = this.getStatus(key, this.isGood, { badboys: this.isGood ? 0 : 1 })
    if (this.isGood) return result
    throw new HealthCheckError('Dog check failed', result)
  }
}
