/** An instance, as the server describes it. */
export interface Instance {
  readonly id: string
  readonly registration: {
    readonly name: string
    readonly managementUrl: string
    readonly serviceUrl: string
    readonly metadata: Readonly<Record<string, string>>
  }
  readonly statusInfo: { readonly status: string; readonly details: Readonly<Record<string, unknown>> }
  readonly endpoints: readonly { readonly id: string; readonly url: string }[]
  readonly info: Readonly<Record<string, unknown>>
  readonly tags: Readonly<Record<string, string>>
  readonly buildVersion?: string
}

/** The response of an instance to a request that the server has passed on. */
export interface PassedOn {
  readonly status: number
  readonly type: string
  readonly headers: Headers
  readonly text: string
}

/** What the pages accept. */
const actuatorTypes = [
  ...['v3', 'v2', 'v1'].map((version) => `application/vnd.spring-boot.actuator.${version}+json`),
  'application/json',
].join(', ')

export const patiently = { timeout: 180_000, interval: 200 }

/** Requests to the interface of a Spring Boot Admin server, as its pages send them. */
export function createAdminClient(url: string) {
  const getJson = async <T>(path: string): Promise<T> =>
    (await (await fetch(url + path, { headers: { accept: 'application/json' } })).json()) as T

  return {
    getJson,
    instances: () => getJson<readonly Instance[]>('/instances'),
    /** Returns the only instance, or `undefined` if it is not there. */
    async instance(): Promise<Instance | undefined> {
      const [first] = await getJson<readonly Instance[]>('/instances')
      return first
    },
    /** Sends a request such as `GET metrics?tag=a:b` to an endpoint of an instance, through the server. */
    async ask(id: string, line: string, init: RequestInit = {}): Promise<PassedOn> {
      const [method = 'GET', path = ''] = line.split(' ')
      const headers = { accept: actuatorTypes, ...(init.headers as Record<string, string> | undefined) }
      const response = await fetch(`${url}/instances/${id}/actuator/${path}`, { ...init, method, headers })
      const type = response.headers.get('content-type') ?? ''
      return { status: response.status, type, headers: response.headers, text: await response.text() }
    },
  }
}

export type AdminClient = ReturnType<typeof createAdminClient>
