/**
 * How a component is. `UP` and `UNKNOWN` serve, `DOWN` and `OUT_OF_SERVICE` do not; an application may use codes of its
 * own. Codes are compared after dropping everything but letters and digits and ignoring case, so `out-of-service` is
 * `OUT_OF_SERVICE`.
 */
export type Status = 'UP' | 'DOWN' | 'OUT_OF_SERVICE' | 'UNKNOWN' | (string & {})
