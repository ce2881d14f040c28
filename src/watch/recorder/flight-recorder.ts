import { messageOf } from '../../base/callback.ts'
import { failure } from '../../base/errors.ts'
import { wait } from '../../base/timers.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { CaptureListOutput, CaptureReadInput, ProfileInput } from '../diagnostics/diagnostic-operation.ts'
import { encodeProfile } from '../profile/encode-profile.ts'
import type { ProfileRecorder } from '../profile/profiler.ts'
import { sanitizeProfile } from '../profile/sanitize-profile.ts'
import {
  type Capture,
  type CapturedRecording,
  type CaptureRule,
  createCaptureId,
  type Finding,
  publicCapture,
  type StoredCapture,
} from './capture.ts'
import { openCaptureDirectory } from './capture-directory.ts'
import { CaptureShelf, memoryMedium } from './capture-shelf.ts'
import { directoryUnused, type RecorderSettings } from './recorder-options.ts'

/** A profile that is to be recorded as evidence. */
interface Evidence {
  readonly type: 'wall' | 'heap'
  /**
   * Resolves when what is profiled has ended, with the time of that, in milliseconds since the epoch. The profile ends
   * then, or after the configured duration.
   */
  readonly ended?: Promise<number> | undefined
  /** Called when the profile has ended; resolves with what is known then, in place of the details of the finding. */
  readonly complete?: (() => Promise<Partial<Pick<Finding, 'reason' | 'details'>>>) | undefined
}

/** Captures evidence, in the thread of the watchdog. */
export interface FlightRecorder {
  /**
   * Returns whether a finding may be captured now. Must be followed by `profile` or `report`: until the interval has
   * passed since, other findings of the rule are counted only.
   */
  admit(rule: CaptureRule): boolean
  /** Captures a finding with a profile; without one if none can be recorded. Never rejects. */
  profile(finding: Finding, evidence: Evidence): Promise<Capture | undefined>
  /** Captures a finding with a document. Never rejects. */
  report(finding: Finding, document: object): Promise<Capture | undefined>
  list(): Promise<CaptureListOutput>
  /** Resolves with the content of a capture; `undefined` if it does not exist. */
  read(input: CaptureReadInput): Promise<Uint8Array | undefined>
}

/** What a flight recorder uses of its thread. */
interface RecorderContext {
  readonly profiles: ProfileRecorder
  /** Called with each capture when it is complete. */
  readonly announce: (capture: Capture) => void
  readonly report: (message: string) => void
}

export function createFlightRecorder(
  settings: RecorderSettings,
  { profiles, announce, report }: RecorderContext,
): FlightRecorder {
  const memory = new CaptureShelf(memoryMedium(), settings)
  const admittedAt = new Map<CaptureRule, number>()
  let suppressed = 0
  let lost = 0
  /** One is stored at a time, so that the limits hold. */
  let last: Promise<unknown> = Promise.resolve()

  const openShelf = async (path: string): Promise<CaptureShelf | undefined> => {
    try {
      const limits = { maximumCaptures: settings.maximumCaptures, maximumBytes: settings.maximumDirectoryBytes }
      return new CaptureShelf(await openCaptureDirectory(path), limits)
    } catch (error) {
      report(directoryUnused(messageOf(error)))
      return undefined
    }
  }
  const directory = settings.directory === undefined ? undefined : openShelf(settings.directory)
  const shelves = async (): Promise<readonly CaptureShelf[]> => {
    const opened = await directory
    return opened === undefined ? [memory] : [opened, memory]
  }

  const store = async (capture: StoredCapture, content: Uint8Array): Promise<boolean> => {
    for (const shelf of await shelves()) {
      try {
        await shelf.add(capture, content)
        return true
      } catch (error) {
        const place = shelf === memory ? 'in memory' : 'in the directory'
        report(`recorder: the capture ${capture.id} cannot be kept ${place}: ${messageOf(error)}`)
      }
    }
    lost += 1
    return false
  }

  const keep = async (
    { rule, time, reason, details, id: ownId }: Finding,
    type: Capture['type'],
    value: object,
    recording?: CapturedRecording,
  ): Promise<Capture | undefined> => {
    const content = Buffer.from(JSON.stringify(value))
    const id = ownId ?? createCaptureId(rule, time)
    const at = new Date(time).toISOString()
    const stored: StoredCapture = { id, rule, time: at, reason, type, bytes: content.byteLength, details, recording }
    const storing = last.then(() => store(stored, content))
    last = storing
    if (!(await storing)) return undefined
    const capture = publicCapture(stored)
    if (ownId === undefined) announce(capture)
    return capture
  }

  const findAll = async () => {
    const onShelf = async (shelf: CaptureShelf) => {
      return (await shelf.medium.list()).map((capture) => ({ shelf, capture }))
    }
    const found = (await Promise.all((await shelves()).map(onShelf))).flat()
    return found.sort((one, other) => (one.capture.time < other.capture.time ? 1 : -1))
  }

  return {
    admit(rule) {
      const now = performance.now()
      const last = admittedAt.get(rule)
      const isAdmitted = last === undefined || now - last >= settings.intervalMilliseconds
      if (isAdmitted) admittedAt.set(rule, now)
      else suppressed += 1
      return isAdmitted
    },
    async profile(finding, { type, ended, complete = async () => ({}) }) {
      const input = profileInput(settings, type)
      let beganAt = Number.POSITIVE_INFINITY
      let endedAt = Number.POSITIVE_INFINITY
      ended?.then((time) => {
        endedAt = time
      })
      const waitUntilEnd = (): Promise<unknown> => {
        beganAt = Date.now()
        const longest = wait(settings.seconds * 1_000)
        return ended === undefined ? longest : Promise.race([ended, longest])
      }
      try {
        const { profiles: recorded, startedAt, seconds } = await profiles.record(input, waitUntilEnd)
        const profile = recorded[0]?.profile
        // After native code the thread starts the profile first, and then ends the block.
        if (endedAt - beganAt < minimumMilliseconds || profile === undefined)
          throw failure('UPKEEP_ECAPTURE', 'it was over before a profile began')
        const { separateFunctions, intervalMilliseconds, samplingBytes } = input
        const recording = { startedAt, seconds, separateFunctions, intervalMilliseconds, samplingBytes }
        return await keep({ ...finding, ...(await complete()) }, type, sanitizeProfile(profile), recording)
      } catch (error) {
        if (ended !== undefined) await waitUntilEnd()
        const completed = { ...finding, ...(await complete()) }
        const details = { ...completed.details, missingProfile: messageOf(error) }
        return keep({ ...completed, details }, 'report', details)
      }
    },
    report: (finding, document) => keep(finding, 'report', document),
    async list() {
      const captures = (await findAll()).map(({ capture }) => publicCapture(capture))
      const dropped = (await shelves()).reduce((sum, shelf) => sum + shelf.dropped, lost)
      return { captures, suppressed, dropped }
    },
    async read({ id, ...options }) {
      const found = (await findAll()).find(({ capture }) => capture.id === id)
      const content = await found?.shelf.medium.read(found.capture)
      return found && content && encodeCapture(found.capture, content, options)
    },
  }
}

/** A shorter profile has too few samples. */
const minimumMilliseconds = 20

function profileInput({ seconds, profile }: RecorderSettings, type: 'wall' | 'heap'): ProfileInput {
  return { ...profile, type, seconds, format: 'cpuprofile', thread: 'main', nonce: '' }
}

/** Returns the content of a capture in a format. */
function encodeCapture(
  { type, recording }: StoredCapture,
  content: Uint8Array,
  { format, nonce }: Omit<CaptureReadInput, 'id'>,
): Uint8Array {
  if (type === 'report' || recording === undefined) return Uint8Array.from(content)
  const { startedAt, seconds, ...settings } = recording
  const input: ProfileInput = { ...settings, type, seconds, format, nonce, thread: 'main' }
  const profile = JSON.parse(Buffer.from(content).toString())
  try {
    return encodeProfile([{ kind: type, thread: 'main', profile }], input, startedAt, seconds)
  } catch (error) {
    throw new HttpError(500, 'The capture cannot be read.', { cause: error })
  }
}
