/** The version in package.json; a test compares the two. */
export const packageVersion = '0.9.0'
