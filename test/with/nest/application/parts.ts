import { Injectable, Module, Scope } from '@nestjs/common'
import { Counted, Indicator, Timed } from 'upkeep/nest'

@Indicator('disk')
export class DiskIndicator {
  check() {
    return 'UP'
  }
}

@Indicator('disk')
export class OtherDiskIndicator extends DiskIndicator {}

@Injectable({ scope: Scope.REQUEST })
@Indicator('request')
export class RequestIndicator extends DiskIndicator {}

/** Not a provider. */
export class Invoice {
  @Timed()
  static load(): Invoice {
    return new Invoice()
  }

  @Counted()
  *lines(): Generator<number> {
    yield 1
  }
}

@Injectable({ scope: Scope.REQUEST })
export class RequestGuard {
  canActivate(): boolean {
    return true
  }
}

/** Returns a module with these providers and controllers, which exports its providers. */
export function moduleOf(
  imports: readonly unknown[],
  providers: readonly unknown[] = [],
  controllers: readonly unknown[] = [],
): new () => object {
  class TestModule {}
  const parts = { imports, providers, controllers, exports: providers }
  Module(parts as never)(TestModule)
  return TestModule
}
