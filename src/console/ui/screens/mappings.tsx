import { useMemo } from 'preact/hooks'
import { useDocument } from '../hooks.ts'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Problem } from '../widgets.tsx'

/** What the endpoint `mappings` returns. */
interface MappingsDocument {
  readonly contexts: Readonly<
    Record<
      string,
      {
        readonly mappings: {
          readonly dispatcherServlets?: Readonly<
            Record<string, readonly { readonly handler: string; readonly predicate: string }[]>
          >
        }
      }
    >
  >
}

interface MappingRow {
  readonly key: string
  readonly framework: string
  readonly predicate: string
  readonly handler: string
}

const columns: readonly Column<MappingRow>[] = [
  {
    name: 'predicate',
    title: 'Route',
    isWide: true,
    sort: ({ predicate }) => predicate,
    cell: ({ predicate }) => <code>{shownText(predicate, 300)}</code>,
  },
  { name: 'handler', title: 'Handler', sort: ({ handler }) => handler, cell: ({ handler }) => shownText(handler, 200) },
  { name: 'framework', title: 'Framework', cell: ({ framework }) => shownText(framework, 60) },
]

/** The routes of the application. */
export function Mappings(props: { readonly path: string }) {
  const loaded = useDocument<MappingsDocument>(props.path, 0)
  const rows = useMemo(
    () =>
      Object.values(loaded.data?.contexts ?? {}).flatMap(({ mappings }) =>
        Object.entries(mappings.dispatcherServlets ?? {}).flatMap(([framework, entries]) =>
          entries.map(({ predicate, handler }, index) => ({
            key: `${framework} ${index}`,
            framework,
            predicate,
            handler,
          })),
        ),
      ),
    [loaded.data],
  )
  return (
    <>
      <Problem of={loaded} />
      {loaded.data === undefined ? null : (
        <Table label="Mappings" rows={rows} columns={columns} keyOf={({ key }) => key} empty="No route is known." />
      )}
    </>
  )
}
