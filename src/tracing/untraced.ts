/** Marks an `http.Agent` whose requests are neither traced nor timed: the exporters' own. Shared by all copies of upkeep. */
export const untraced: unique symbol = Symbol.for('upkeep.untraced')
