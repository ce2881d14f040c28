/** The version of this package: that in package.json, which a test compares. */
export const packageVersion = '0.1.0'
