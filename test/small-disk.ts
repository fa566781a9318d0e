// A file system of some megabytes that can be filled, where one may be mounted.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = AsyncDisposable & {
  path: string
  /** But for so many bytes. */ fill(left?: number): void
  makeRoom(): void
}

function mount(folder: string, bytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Mounted over `path`; undefined where none may be mounted. */
export function openSmallDisk(path: string, bytes: number): SmallDisk | undefined {
  mkdirSync(path, { recursive: true })
  if (!mount(path, bytes)) return undefined
  const filling = join(path, 'filling')
  return {
    path,
    fill(left = 0) {
      for (const size of [1024 * 1024, 4096]) {
        try {
          for (;;) writeFileSync(filling, Buffer.alloc(size), { flag: 'a' })
        } catch {
          // Full, as it should be.
        }
      }
      if (left > 0) truncateSync(filling, statSync(filling).size - left)
    },
    makeRoom: () => rmSync(filling, { force: true }),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['-l', path])
    },
  }
}

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-mount-'))
  const isMounted = mount(folder, 4096)
  if (isMounted) execFileSync('umount', [folder])
  rmdirSync(folder)
  return isMounted
}

/** For scenarios that need one. */
export const smallDiskNeeds = mayMount() ? '' : 'the right to mount a file system (tmpfs): run it as root'
