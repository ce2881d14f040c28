/** The kinds of service that a contract is for: one with the whole interface, or one with what Spring Boot shares of it. */
export type ProfileName = 'upkeep' | 'spring'

/** In what the services of a kind differ. */
export interface Profile {
  readonly name: ProfileName
  readonly basePath: string
  /** The media types of JSON that a request without `Accept` may get. */
  readonly jsonTypes: readonly string[]
  /** The media type of a scrape that says nothing of what it accepts. */
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
