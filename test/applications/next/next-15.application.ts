import { describeNext } from './describe-next.ts'

describeNext('15', 0)
