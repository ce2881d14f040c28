import { describeNext } from './describe-next.ts'
import { withTelemetry } from './documented-files.ts'

describeNext('16', { files: withTelemetry(), exitCode: 143 })
