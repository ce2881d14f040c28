/** The kind of service: one with the whole contract, or a Spring Boot Actuator with the shared part of it. */
export type ProfileName = 'upkeep' | 'spring'

/** Differences between kinds of service. */
interface Profile {
  readonly name: ProfileName
  readonly basePath: string
  /** JSON media types that a request without `Accept` may receive. */
  readonly jsonTypes: readonly string[]
  /** Media type of a scrape without `Accept`. */
  readonly textType: RegExp
}

const spring = ['application/vnd.spring-boot.actuator.v3+json', 'application/vnd.spring-boot.actuator.v2+json']

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  upkeep: {
    name: 'upkeep',
    basePath: '/management',
    jsonTypes: ['application/json'],
    textType: /^text\/plain; version=0\.0\.4; charset=utf-8$/,
  },
  spring: {
    name: 'spring',
    basePath: '/actuator',
    jsonTypes: [...spring, 'application/json'],
    textType: /^text\/plain; ?version=0\.0\.4; ?charset=utf-8$/i,
  },
}
