/** The incidents whose cause `why` does not name. */
export const missed: readonly string[] = ['deploy-slow-route', 'noisy-neighbour']
