/** The files of a web page, bundled from its script. */
declare module '*?page-files' {
  interface PageFile {
    /** The first 16 hexadecimal digits of the SHA-256 of the content. */
    readonly hash: string
    /** The content, compressed with gzip, in Base64. */
    readonly gzip: string
  }
  export const script: PageFile
  export const style: PageFile
}
