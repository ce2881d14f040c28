/** The style of the pages: light or dark, as the system of the reader. */
export const pageStyle = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
h1 { overflow-wrap: anywhere }
ol { list-style: none; padding: 0 }
li { border-top: 1px solid color-mix(in srgb, currentcolor 25%, transparent); padding: .75rem 0 }
li header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .875rem; opacity: .75 }
p.text, pre { margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext }
.username { font-weight: 600 }
`
