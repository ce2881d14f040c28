import packageJson from '../../package.json' with { type: 'json' }

/** The version of the receiver, which is upkeep's. */
export const version: string = packageJson.version
