import { describeNext } from './describe-next.ts'
import { quickStart } from './documented-files.ts'

describeNext('15', { files: quickStart(), exitCode: 0 })
