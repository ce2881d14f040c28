/** The UUID of all zeros: none. RFC 9562 §5.9. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'
