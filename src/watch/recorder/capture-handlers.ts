import { type OperationHandlers, type RecordInput, recordStates } from '../diagnostics/diagnostic-operation.ts'
import { missing } from '../diagnostics/mechanisms.ts'
import type { Capture, Finding } from './capture.ts'
import type { FlightRecorder } from './flight-recorder.ts'

/** Creates the operations of the flight recorder; `undefined` in a thread that is not that of a watchdog. */
export function captureHandlers(
  recorder: FlightRecorder | undefined,
): Pick<OperationHandlers, 'captures' | 'capture' | 'record'> {
  const requireRecorder = (): FlightRecorder => {
    if (recorder !== undefined) return recorder
    throw missing('the flight recorder runs in the thread of the watchdog, which has not been started')
  }
  return {
    captures: async () => await requireRecorder().list(),
    async record({ finding, evidence, state }) {
      let capture: Capture | undefined
      try {
        capture = await captureFinding(requireRecorder(), finding, evidence)
      } finally {
        if (state !== undefined) {
          Atomics.store(state, 0, capture === undefined ? recordStates.notStored : recordStates.stored)
          Atomics.notify(state, 0)
        }
      }
      return { id: capture?.id }
    },
    capture: async (input) => ({ bytes: await requireRecorder().read(input) }),
  }
}

async function captureFinding(
  recorder: FlightRecorder,
  finding: Finding,
  evidence: RecordInput['evidence'],
): Promise<Capture | undefined> {
  if (!recorder.admit(finding.rule)) return undefined
  return evidence.kind === 'report'
    ? await recorder.report(finding, evidence.document)
    : await recorder.profile(finding, { type: 'wall' })
}
