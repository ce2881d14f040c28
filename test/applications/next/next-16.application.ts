import { describeNext } from './describe-next.ts'

describeNext('16', 143)
