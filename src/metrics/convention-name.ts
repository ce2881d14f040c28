/** How meters are named: as Spring Boot and Micrometer do, or by OpenTelemetry's semantic conventions. */
export type ConventionName = (typeof conventionNames)[number]

export const conventionNames = ['micrometer', 'opentelemetry'] as const
