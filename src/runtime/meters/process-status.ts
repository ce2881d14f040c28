import { readFileSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import { canRead } from '../can-read.ts'
import { createSampler } from './sampler.ts'

const status = '/proc/self/status'

/** What Linux reports about the process; NaN for what it does not. */
export interface ProcessStatus {
  readonly threads: number
  /** The size of the address space, in bytes. */
  readonly virtualMemory: number
  /** The memory that was swapped out, in bytes. */
  readonly swappedMemory: number
}

/** Returns a function that reads the status once per scrape; `undefined` if the system has no such file. */
export function createStatusSampler(clock: Clock): (() => ProcessStatus) | undefined {
  return canRead(status) ? createSampler(clock, readProcessStatus) : undefined
}

/** Reads `/proc/self/status`. */
export function readProcessStatus(): ProcessStatus {
  return parseProcessStatus(readFileSync(status, 'utf8'))
}

/** Parses `/proc/<pid>/status`, whose sizes are in units of 1,024 bytes. */
export function parseProcessStatus(text: string): ProcessStatus {
  return {
    threads: Number(/^Threads:\s+(\d+)/m.exec(text)?.[1]),
    virtualMemory: Number(/^VmSize:\s+(\d+) kB/m.exec(text)?.[1]) * 1_024,
    swappedMemory: Number(/^VmSwap:\s+(\d+) kB/m.exec(text)?.[1]) * 1_024,
  }
}
