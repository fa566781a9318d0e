// Where servers of tests keep their data: in memory, where there is room.
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const roomBytes = 1_000_000_000

export function memoryFolder(): string {
  return hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > roomBytes
}
