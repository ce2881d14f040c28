import type { ServerResponse } from 'node:http'
import {
  BadRequestException,
  Controller,
  Get,
  HttpException,
  Param,
  Res,
  ServiceUnavailableException,
} from '@nestjs/common'

class PaymentRequired extends HttpException {
  constructor() {
    super({ message: 'Pay first.', amount: 5 }, 402)
  }
}

/** More than the buffers of a connection hold. */
export const largeLength = 16 * 1024 * 1024

const thrown: Readonly<Record<string, () => unknown>> = {
  subclass: () => new PaymentRequired(),
  terminus: () => new ServiceUnavailableException({ status: 'error', error: { db: { status: 'down' } } }),
  list: () => new HttpException(['too short', 'too late'] as never, 400),
  faults: () =>
    new BadRequestException([
      { property: 'name', constraints: { isString: 'name must be a string' } },
      { property: 'address', children: [{ property: 'a/b', constraints: { isInt: 'a/b must be an integer' } }] },
      { message: 'unknown member', code: 7 },
    ]),
  text: () => 'no stock',
  nothing: () => undefined,
  null: () => null,
  redirect: () => new HttpException('Moved.', 302),
}

@Controller('throwing')
export class ThrowingController {
  @Get('begun')
  begun(@Res({ passthrough: true }) response: PlatformResponse): never {
    const raw = rawOf(response)
    raw.writeHead(200, { 'content-type': 'text/plain' })
    raw.write('begun')
    throw new Error('after the head')
  }

  @Get('ended')
  ended(@Res({ passthrough: true }) response: PlatformResponse): never {
    rawOf(response).end(Buffer.alloc(largeLength))
    throw new Error('after the end')
  }

  @Get(':what')
  throw(@Param('what') what: string): never {
    throw thrown[what]?.()
  }
}

type PlatformResponse = ServerResponse | { readonly raw: ServerResponse }

function rawOf(response: PlatformResponse): ServerResponse {
  return 'raw' in response ? response.raw : response
}
