import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Param,
  Post,
  Scope,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import { REQUEST } from '@nestjs/core'
import { map, type Observable } from 'rxjs'
import { currentTrace } from 'upkeep'
import { Counted, Timed, Traced } from 'upkeep/nest'

/** The traces that the parts of the application have seen. */
export const seen: Record<string, string | undefined> = {}

function see(part: string): void {
  seen[part] = currentTrace()?.traceId
}

@Injectable()
export class SeeingGuard {
  canActivate(): boolean {
    see('guard')
    return true
  }
}

@Injectable()
export class SeeingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    see('interceptor')
    return next.handle().pipe(
      map((value) => {
        see('response')
        return value
      }),
    )
  }
}

export class Ledger {
  @Timed()
  entry(): string {
    return 'entry'
  }

  @Counted()
  async write(isFull: boolean): Promise<void> {
    await Promise.resolve()
    if (isFull) throw new RangeError('full')
  }

  @Traced({ name: 'pages' })
  async *pages(): AsyncGenerator<number> {
    yield 1
    await Promise.resolve()
    see('generator')
    yield 2
  }
}

@Injectable()
export class YearLedger extends Ledger {
  @Traced()
  async close(): Promise<string> {
    await Promise.resolve()
    see('method')
    return this.entry()
  }
}

@Injectable({ scope: Scope.REQUEST })
export class RequestLedger extends Ledger {
  constructor(@Inject(REQUEST) readonly request: object) {
    super()
  }
}

@Controller('ledgers')
@UseGuards(SeeingGuard)
@UseInterceptors(SeeingInterceptor)
export class LedgerController {
  constructor(
    private readonly ledger: YearLedger,
    private readonly own: RequestLedger,
  ) {}

  @Post(':id')
  @Timed()
  async close(@Param('id') id: string, @Body() body: object): Promise<object> {
    see('handler')
    await this.ledger.close()
    await this.ledger.write(false)
    await this.ledger.write(true).catch(() => {})
    const pages: number[] = []
    for await (const page of this.ledger.pages()) pages.push(page)
    this.own.entry()
    return { id, body, pages }
  }
}
