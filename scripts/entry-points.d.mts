export const entryPoints: readonly { readonly specifier: string; readonly name: string; readonly source: string }[]
