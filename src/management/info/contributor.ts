/** Adds its part to what the application tells of itself: an object of JSON values, `undefined` for nothing. */
export type InfoContributor = () => InfoPart | undefined | Promise<InfoPart | undefined>

/** A part of the response of `info`: JSON values by name. */
export type InfoPart = Readonly<Record<string, unknown>>
