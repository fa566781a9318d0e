// CPU time of a process and all that it has started.
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Seconds since it began; those of children that have ended count once they were waited for. */
export function cpuSeconds(root: number): number {
  const processes = readdirSync('/proc').map(Number).filter(Boolean).flatMap(readStat)
  const isWanted = new Set([root])
  // A child may have a lower number than its parent, so that one pass is not enough.
  for (let size = 0; size < isWanted.size;) {
    size = isWanted.size
    for (const { pid, parent } of processes) if (isWanted.has(parent)) isWanted.add(pid)
  }
  const wanted = processes.filter(({ pid }) => isWanted.has(pid))
  return wanted.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond
}

function readStat(pid: number): { pid: number; parent: number; ticks: number }[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): the name, in parentheses, may hold spaces; then field 3 and those after it.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + fields[at]!, 0)
    return [{ pid, parent: fields[1]!, ticks }]
  } catch {
    return []
  }
}
