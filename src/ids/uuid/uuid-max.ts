/** The UUID of all ones: it sorts after all others. RFC 9562 §5.10. */
export const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
