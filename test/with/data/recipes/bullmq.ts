import { Queue, Worker } from 'bullmq'
import { createManagement } from 'upkeep'
import { bullmqTelemetry, queueMeters } from 'upkeep/instrumentation'

const connection = { url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379' }
const maxWaiting = 10_000

export const management = createManagement({
  tracing: true,
  health: {
    indicators: { mail: async () => ((await queue.getWaitingCount()) <= maxWaiting ? 'UP' : 'OUT_OF_SERVICE') },
  },
})
const telemetry = bullmqTelemetry(management.meters)
export const queue = new Queue('mail', { connection, telemetry })
export const worker = new Worker('mail', async ({ data }) => `sent to ${data.to}`, { connection, telemetry })
queueMeters(management.meters, queue)
