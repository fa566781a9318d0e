// A clock for processes that can be set while they run: Debian's libfaketime. Timers and file times stay real.
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
export const hasFakeClock = existsSync(library)

/** The library reads the file anew in the second after the next. */
const noticedMs = 2_500

export type FakeClock = {
  /** For the processes that have this clock. */
  env: Record<string, string>
  /** As `+31d` or `-1h` from the real time; resolves when the processes have it. */
  set(offset: string): Promise<void>
}

/** `path` is of a file that all of these processes may read. */
export function openFakeClock(path: string): FakeClock {
  const write = (offset: string) => writeFileSync(path, `${offset}\n`, { mode: 0o644 })
  write('+0')
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    async set(offset) {
      write(offset)
      await sleep(noticedMs)
    },
  }
}
