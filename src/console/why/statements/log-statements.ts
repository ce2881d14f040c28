import { windowOf } from '../../requests/route-statistics.ts'
import { type LogShape, recentMinutes } from '../log-shapes.ts'
import { plainText } from '../shown-figures.ts'
import type { WhyStatement } from '../why-document.ts'
import type { WhyInput } from '../why-input.ts'

/** Errors of one shape in the last five minutes that are reported. */
const minimumErrors = 5
const minimumFactor = 5
const beforeMinutes = 55
const maxStatements = 3

/** Errors in the log, by shape, that are new or five times as frequent as before. */
export function logStatements({ histories, monotonicNow }: WhyInput): readonly WhyStatement[] {
  return [...histories.logs.read(windowOf(monotonicNow))]
    .filter((shape) => shape.isFatal || isMore(shape))
    .sort((one, other) => other.recent - one.recent || (one.shape < other.shape ? -1 : 1))
    .slice(0, maxStatements)
    .map(({ logger, message, isFatal, recent, before, traces }, at) => ({
      ...({ kind: 'logs', severity: isFatal ? 'critical' : 'warning', weight: 35 - at } as const),
      text:
        `${recent} errors of the logger ${plainText(logger, 60)} in the last ${recentMinutes} minutes, ` +
        `${before === 0 ? 'none' : before} in the ${beforeMinutes} minutes before, such as: ${plainText(message, 200)}`,
      evidence: [{ name: `log errors ${plainText(logger, 60)}`, value: recent, baseline: before }],
      ...{ traces, link: '#/logs?level=ERROR' },
    }))
}

function isMore({ recent, before }: LogShape): boolean {
  return recent >= minimumErrors && recent / recentMinutes >= minimumFactor * (before / beforeMinutes)
}
