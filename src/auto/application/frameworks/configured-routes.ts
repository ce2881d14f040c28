import { originForm } from '../../../entries/adapter.ts'

/**
 * Returns a function that finds the template of a target among those that are configured, such as `/orders/:id` and
 * `/files/*`. Segments are compared one by one; of several matching templates the first one is used.
 */
export function createConfiguredRoutes(routes: readonly string[]): (target: string) => string | undefined {
  const templates = routes.map((template) => ({ template, segments: segmentsOf(template) }))
  return (target) => {
    if (templates.length === 0) return undefined
    const segments = segmentsOf(originForm(target).split(/[?#]/, 1)[0] ?? '')
    return templates.find((one) => isMatch(one.segments, segments))?.template
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/')
}

function isMatch(template: readonly string[], path: readonly string[]): boolean {
  const isOpen = template.at(-1) === '*'
  if (isOpen ? path.length < template.length : path.length !== template.length) return false
  return template.every((segment, at) => {
    if (isOpen && at === template.length - 1) return true
    return segment.startsWith(':') ? path[at] !== '' : segment === path[at]
  })
}
