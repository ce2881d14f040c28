import { useMemo, useState } from 'preact/hooks'
import { useDocument, useLive } from '../hooks.ts'
import { OfResponder } from '../members.tsx'
import { shownText, shownValue } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Card, NotExposed, Pairs, Problem } from '../widgets.tsx'
import { Certificates } from './certificates.tsx'
import { Mappings } from './mappings.tsx'
import { Sbom } from './sbom.tsx'

/** What the service was started with, and what it consists of. */
export function Environment() {
  const links = useLive().overview?.links
  if (links === undefined) return <p class="quiet">Loading…</p>
  const { env, mappings, info, sbom } = links
  return (
    <>
      <OfResponder />
      <div class="columns">
        <Card title="Info">{info === undefined ? <NotExposed endpoint="info" /> : <Info path={info} />}</Card>
        <Certificates />
      </div>
      <Card title="Environment" wide>
        {env === undefined ? <NotExposed endpoint="env" /> : <Properties path={env} />}
      </Card>
      <Card title="Mappings" wide>
        {mappings === undefined ? <NotExposed endpoint="mappings" /> : <Mappings path={mappings} />}
      </Card>
      <Card title="Bill of materials" wide>
        {sbom === undefined ? <NotExposed endpoint="sbom" /> : <Sbom path={sbom} />}
      </Card>
    </>
  )
}

function Info(props: { readonly path: string }) {
  const loaded = useDocument<Readonly<Record<string, unknown>>>(props.path, 0)
  return (
    <>
      <Problem of={loaded} />
      {loaded.data === undefined ? null : <Pairs of={loaded.data} />}
    </>
  )
}

/** What the endpoint `env` returns. */
interface EnvDocument {
  readonly activeProfiles: readonly string[]
  readonly propertySources: readonly {
    readonly name: string
    readonly properties?: Readonly<Record<string, { readonly value: unknown }>>
  }[]
}

interface Property {
  readonly source: string
  readonly name: string
  readonly value: unknown
}

const columns: readonly Column<Property>[] = [
  { name: 'name', title: 'Property', sort: ({ name }) => name, cell: ({ name }) => shownText(name, 300) },
  {
    name: 'value',
    title: 'Value',
    isWide: true,
    cell: ({ value }) => <code>{shownValue(value, 400)}</code>,
  },
  { name: 'source', title: 'Source', sort: ({ source }) => source, cell: ({ source }) => shownText(source, 100) },
]

function Properties(props: { readonly path: string }) {
  const loaded = useDocument<EnvDocument>(props.path, 0)
  const [text, setText] = useState('')
  const { data } = loaded
  const rows = useMemo(() => propertiesOf(data, text.toLowerCase()), [data, text])
  return (
    <>
      <div class="filters">
        <label class="field">
          <span>Filter properties</span>
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        {data === undefined ? null : (
          <span class="quiet">Profile: {shownText(data.activeProfiles.join(', ') || 'none')}</span>
        )}
      </div>
      <Problem of={loaded} />
      {data === undefined ? null : (
        <Table
          label="Properties"
          rows={rows}
          columns={columns}
          keyOf={({ source, name }) => `${source} ${name}`}
          empty="No property matches."
        />
      )}
    </>
  )
}

function propertiesOf(data: EnvDocument | undefined, text: string): readonly Property[] {
  const all = (data?.propertySources ?? []).flatMap(({ name: source, properties = {} }) =>
    Object.entries(properties).map(([name, { value }]) => ({ source, name, value })),
  )
  return text === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(text))
}
