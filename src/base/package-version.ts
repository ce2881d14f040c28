/** The version in package.json; a test compares the two. */
export const packageVersion = '0.1.0'
