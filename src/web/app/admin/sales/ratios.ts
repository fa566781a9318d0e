// Ratios of a report, and how they are written.
import { formatPercent } from '../../../format/format.tsx'

/** Null where nothing was paid. */
export function averageOrder({ gross, paid }: { gross: number; paid: number }): number | null {
  return paid === 0 ? null : gross / paid
}

export function share(part: number, whole: number): number | null {
  return whole <= 0 ? null : part / whole
}

/** "4.2%"; a dash where there is nothing to compare with. */
export function inPercent(ratio: number | null): string {
  return ratio === null ? '–' : formatPercent(ratio)
}
