// What `npm run torture` prints.
import type { Findings, Scenario } from './scenario.ts'

/** Without findings, it was left out or broke off. */
export type Result = { name: string; scenario: Scenario; rounds: number; findings?: Findings }

export function printFindings({ acknowledged, lost, doubled, figures, violations }: Findings): void {
  printNumbers('Figures', { 'purchases acknowledged': acknowledged, ...figures })
  printNumbers('Must be 0', {
    'acknowledged purchases lost': lost,
    'purchases made twice': doubled,
    ...violations,
  })
}

function printNumbers(title: string, numbers: Record<string, number>): void {
  console.log(`\n${title}`)
  for (const [name, number] of Object.entries(numbers)) console.log(`${String(number).padStart(8)}  ${name}`)
}

const heads = ['scenario', 'fault', 'rounds', 'acknowledged', 'lost', 'doubled', 'other wrongs', 'sold again']

export function printTable(results: readonly Result[]): void {
  const table = [heads, ...results.map(describe)]
  const widths = heads.map((_, at) => Math.max(...table.map((cells) => cells[at]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`
  const [head, ...body] = table.map(line)
  const rule = line(widths.map((width) => '-'.repeat(width)))
  console.log(`\nLost, doubled and other wrongs must be 0.\n\n${[head, rule, ...body].join('\n')}`)
}

function describe({ name, scenario: { fault, needs }, rounds, findings }: Result): string[] {
  if (!findings) return [name, fault, String(rounds), ...Array(4).fill('–'), needs ? 'left out' : 'broke off']
  const { acknowledged, lost, doubled, violations, recoveries } = findings
  const wrongs = Object.values(violations).reduce((sum, count) => sum + count, 0)
  const counts = [rounds, acknowledged, lost, doubled, wrongs].map(String)
  return [name, fault, ...counts, describeRecoveries(recoveries)]
}

function describeRecoveries(recoveries: readonly number[]): string {
  if (recoveries.length === 0) return 'never stopped'
  const sorted = recoveries.toSorted((a, b) => a - b)
  const seconds = (ms = 0) => (ms / 1000).toFixed(1)
  return `${seconds(sorted[sorted.length >> 1])} s, at most ${seconds(sorted.at(-1))} s`
}
