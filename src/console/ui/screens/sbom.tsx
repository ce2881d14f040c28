import { useMemo, useState } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import { useDocument } from '../hooks.ts'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Problem } from '../widgets.tsx'

/** What is read of a bill of materials: CycloneDX has `components`, SPDX has `packages`. */
interface BillOfMaterials {
  readonly components?: readonly Package[]
  readonly packages?: readonly Package[]
}

interface Package {
  readonly name?: string
  readonly version?: string
  readonly versionInfo?: string
  readonly type?: string
}

const columns: readonly Column<Package>[] = [
  {
    name: 'name',
    title: 'Package',
    isWide: true,
    sort: ({ name = '' }) => name,
    cell: ({ name = '' }) => shownText(name, 200),
  },
  {
    name: 'version',
    title: 'Version',
    cell: ({ version, versionInfo }) => shownText(version ?? versionInfo ?? '', 60),
  },
  { name: 'type', title: 'Type', cell: ({ type = '' }) => shownText(type, 40) },
]

/** The packages of a bill of materials. */
export function Sbom(props: { readonly path: string }) {
  const ids = useDocument<{ readonly ids: readonly string[] }>(props.path, 0)
  const [selected, setSelected] = useState<string>()
  const id = selected ?? ids.data?.ids[0]
  const address = id === undefined ? undefined : `${props.path}/${encodeURIComponent(id.toWellFormed())}`
  const loaded = useDocument<BillOfMaterials>(address, 0)
  const rows = useMemo(() => loaded.data?.components ?? loaded.data?.packages ?? [], [loaded.data])
  return (
    <>
      <Problem of={ids} />
      {ids.data === undefined || ids.data.ids.length < 2 ? null : (
        <label class="field">
          <span>Document</span>
          <select value={id ?? ''} onChange={(event) => setSelected(event.currentTarget.value)}>
            {ids.data.ids.map((each) => (
              <option key={each} value={each}>
                {shownText(each, 100)}
              </option>
            ))}
          </select>
        </label>
      )}
      {address === undefined ? null : <Problem of={loaded} />}
      {loaded.data === undefined ? null : (
        <>
          <p class="quiet">{formatNumber(rows.length)} packages</p>
          <Table
            label="Packages"
            rows={rows}
            columns={columns}
            keyOf={(row) => String(rows.indexOf(row))}
            empty="The document lists no packages."
          />
        </>
      )}
    </>
  )
}
