import { startChild } from './child.ts'

/** What has a Kafka in it that a test can start for itself. */
export const kcat = { program: 'kcat', debian: 'kcat' } as const

export interface KafkaCluster {
  /** The address of its only broker. */
  readonly broker: string
  dispose(): Promise<void>
}

/**
 * Starts a Kafka cluster of one broker in memory, by the path of kcat: that of librdkafka, which is there while kcat
 * waits for something to send. It speaks Kafka's own protocol, groups included, makes topics of four partitions when
 * they are asked for, and nobody here wrote it.
 */
export async function startKafka(path: string): Promise<KafkaCluster> {
  const child = startChild(path, ['-P', '-t', 'nothing', '-b', 'none', '-X', 'test.mock.num.brokers=1', '-d', 'mock'])
  const line = await child.err.line(/bootstrap\.servers=127\.0\.0\.1:\d+/)
  return { broker: line.slice(line.lastIndexOf('=') + 1).trim(), dispose: child.kill }
}
