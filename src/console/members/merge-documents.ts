import type {
  DependenciesDocument,
  HealthDocument,
  HistoryDocument,
  LogsDocument,
  OverviewDocument,
  RequestsDocument,
} from '../documents.ts'
import { filterLogs, filterRequests } from '../queries.ts'
import { mergeDependencies, mergeLogs, mergeRequests } from './merge-lists.ts'
import { mergeHealth, mergeOverviews } from './merge-overviews.ts'
import { mergeHistories } from './merge-samples.ts'
import type { OfMembers } from './of-member.ts'

/**
 * Returns the documents of members at a path as one; `undefined` for an unknown path. `silent` are the members that did
 * not respond.
 */
export function mergeDocuments(
  path: string,
  query: URLSearchParams,
  parts: OfMembers<object>,
  silent: readonly string[],
): object | undefined {
  // Safe: each path has documents of one type.
  const of = <Document>() => parts as OfMembers<Document>
  switch (path) {
    case 'overview':
      return mergeOverviews(of<OverviewDocument>(), silent)
    case 'history':
      return mergeHistories(of<HistoryDocument>())
    case 'requests':
      return mergeRequests(of<RequestsDocument>(), filterRequests(query).limit)
    case 'health':
      return mergeHealth(of<HealthDocument>())
    case 'logs':
      return mergeLogs(of<LogsDocument>(), filterLogs(query).limit ?? 200)
    case 'dependencies':
      return mergeDependencies(of<DependenciesDocument>())
    default:
      return undefined
  }
}
