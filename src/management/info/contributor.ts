/** Returns members of the response of `info`, as an object of JSON values; `undefined` for none. */
export type InfoContributor = () => InfoPart | undefined | Promise<InfoPart | undefined>

/** A part of the response of `info`: JSON values by name. */
export type InfoPart = Readonly<Record<string, unknown>>
