/** The media types of JSON of management endpoints, the preferred first. The consoles of Spring Boot request the last. */
export const actuatorMediaTypes = ['application/json', 'application/vnd.spring-boot.actuator.v3+json'] as const

/** The media type that consoles of Spring Boot 2.0 and 2.1 request. */
export const actuatorVersion2 = 'application/vnd.spring-boot.actuator.v2+json'
