import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common'

@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest().headers['x-api-key'] === 'secret'
  }
}
