// A figure: something measured, and the bar it must reach.

export type Figure = {
  name: string
  /** `atLeast` for ratios of speed and points, `atMost` for sizes, times and memory. */
  bar: { atLeast: number } | { atMost: number }
  unit: 'ratio' | 'ms' | 'MB' | 'kB' | 's' | 'points'
  measured: number
  /** What the number was made of. */
  note?: string
}

/** `growth`: how many times larger the large shop is than the small one. */
type Options = { rounds: number; growth: number }

/** Yields each figure as soon as it is measured. */
export type Measure = (options: Options) => AsyncGenerator<Figure, void, void>

export function isReached({ bar, measured }: Figure): boolean {
  return 'atLeast' in bar ? measured >= bar.atLeast : measured <= bar.atMost
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? NaN
}

type Comparison = Pick<Figure, 'name' | 'bar'> & {
  rounds: number
  unitOfNote: string
  ours: () => Promise<number>
  baseline: () => Promise<number>
}

/** Measures both in turns within the same minute; the figure is the median of the rounds' ratios. */
export async function compare({ name, bar, rounds, unitOfNote, ...measure }: Comparison): Promise<Figure> {
  const [ours, baseline, ratios]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const pair = [await measure.ours(), await measure.baseline()] as const
    ours.push(pair[0])
    baseline.push(pair[1])
    ratios.push(pair[0] / pair[1])
  }
  const note = `${Math.round(median(ours))} against ${Math.round(median(baseline))} ${unitOfNote}`
  return { name, bar, unit: 'ratio', measured: median(ratios), note }
}
