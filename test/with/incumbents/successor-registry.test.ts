import successor from '@prometheus-io/client'
import type promClient from 'prom-client'
import { describeRegistry } from '../../prometheus/registry-suite.ts'

describeRegistry('@prometheus-io/client', successor as unknown as typeof promClient)
