type Environment = Readonly<Record<string, string>>

/** An application that is started with and without `upkeep/auto`. */
export interface Application {
  readonly name: string
  /** The folders of its files, from `projects/`. @default its name */
  readonly folders?: readonly string[]
  /** The arguments of npm that install it. @default ['ci'] */
  readonly install?: readonly string[]
  /** The arguments of node that build it. */
  readonly build?: readonly string[]
  /** The arguments of node that start it, or one of its programs. */
  readonly start: (port: number, program: string) => readonly string[]
  /** The names of its programs, if it has more than one. @default its name */
  readonly programs?: readonly string[]
  /** The folder in which it is started, relative to its own. @default '.' */
  readonly cwd?: string
  /** The variables of the run without `upkeep/auto`, of that with it, and of that without discovery. */
  readonly environments?: () => readonly [Environment, Environment, Environment]
  /** How `NODE_OPTIONS` loads the package. @default 'import' */
  readonly load?: 'import' | 'require'
  readonly requests: readonly (readonly [path: string, init?: RequestInit])[]
  /** The line that it prints after its last response. */
  readonly lastLine?: RegExp
  /** The components of health for what it is connected with. @default none */
  readonly components?: readonly string[]
  /** The number of requests by the tags `uri` and `status`. */
  readonly counts: Readonly<Record<string, number>>
  /** Files that it writes, which are removed before each start. */
  readonly written?: readonly string[]
  /** What differs between two runs, such as ids. Times, process ids and ports need not be listed. */
  readonly varies?: readonly RegExp[]
  /** The number of processes that report their start. @default 1 */
  readonly processes?: number
}
