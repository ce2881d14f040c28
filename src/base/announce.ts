/**
 * Publishes a message on a diagnostics channel, for programs that inspect this process, such as `upkeep doctor`.
 * `describe` is called only if something subscribes.
 */
export function announce(name: string, describe: () => object): void {
  const channel = process.getBuiltinModule?.('node:diagnostics_channel').channel(name)
  if (channel?.hasSubscribers === true) channel.publish(describe())
}
