import { pageFiles, pageHeaders, renderPage } from '../console/html-page.ts'
import { preferredCoding } from '../http/conventions/content-coding.ts'
import { pathOf } from '../http/conventions/target.ts'
import type { Offer, Representation } from '../http/representation.ts'
import type { Call } from '../http/resource.ts'
import type { Endpoint } from './endpoints/endpoint.ts'

const yearSeconds = 365 * 24 * 60 * 60
const pagePath = 'console'
const assetsPath = 'console/assets/{name}'

/** Returns the page of the console and its files, which hold nothing of the service and are public. */
export function consolePage(): Required<Pick<Endpoint, 'routes' | 'publicPaths' | 'linkedPaths' | 'indexPage'>> {
  const getPage = ({ request: { target } }: Call): Representation => {
    const path = pathOf(target)
    const folder = `${path.slice(path.lastIndexOf('/') + 1)}/assets`
    return { offers: [pageOffer(folder)], caching: 'no-cache' }
  }
  return {
    publicPaths: [pagePath, assetsPath],
    linkedPaths: [pagePath],
    indexPage: (path) => pageOffer(`${path}/assets`),
    routes: [
      { path: pagePath, resource: { access: 'public', get: getPage } },
      { path: assetsPath, resource: { access: 'public', get: getAsset } },
    ],
  }
}

function pageOffer(assets: string): Offer {
  return { mediaType: 'text/html; charset=utf-8', headers: pageHeaders, render: () => renderPage(assets) }
}

function getAsset({ variables: [name], request: { headers } }: Call): Representation | undefined {
  const file = Object.values(pageFiles()).find((each) => each.name === name)
  if (file === undefined) return undefined
  const { mediaType, gzip, content } = file
  const isCompressed = preferredCoding(headers) === 'gzip'
  return {
    offers: [{ mediaType, render: () => (isCompressed ? gzip : content()) }],
    caching: { maxAgeSeconds: yearSeconds },
    headers: {
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      Vary: 'Accept-Encoding',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  }
}
