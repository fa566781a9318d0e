// What a figure is: something measured, and the bar it must reach.

export type Figure = {
  name: string
  /** `atLeast` for ratios of speed, `atMost` for sizes, times and memory. */
  bar: { atLeast: number } | { atMost: number }
  unit: 'ratio' | 'ms' | 'MB' | 'kB' | 's' | 'points' | 'calls'
  measured: number
  /** Whatever explains the number: what it was made of. */
  note?: string
}

export function isReached({ bar, measured }: Figure): boolean {
  return 'atLeast' in bar ? measured >= bar.atLeast : measured <= bar.atMost
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length * percent) / 100)]!
}

/** Ours and the baseline in turns within the same minute: the median of the rounds' ratios. */
export async function compare(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ ratio: number; note: string }> {
  const pairs: { ours: number; baseline: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await baseline()
    pairs.push({ ours: await ours(), baseline: before })
  }
  const ratio = median(pairs.map((pair) => pair.ours / pair.baseline))
  const perSecond = (which: 'ours' | 'baseline') => Math.round(median(pairs.map((pair) => pair[which])))
  return { ratio, note: `${perSecond('ours')} against ${perSecond('baseline')}` }
}
