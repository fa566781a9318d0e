// The free space of the disks that the shop writes to.
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'

/** A network disk that does not respond holds up no scrape; its figure is then missing. */
const timeoutMs = 1_500

/** Bytes that an unprivileged user may still write. */
async function readFree(folder: string): Promise<number | undefined> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export function observeDisks(folders: Record<string, string>, registry: Registry): void {
  const gauge = new Gauge({
    name: 'lectern_disk_free_bytes',
    help: 'Bytes that are free on the disk of a folder.',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      gauge.reset()
      for (const [folder, path] of Object.entries(folders)) {
        const late = sleep(timeoutMs, undefined, { ref: false })
        const free = await Promise.race([readFree(path).catch(() => undefined), late])
        if (free !== undefined) gauge.set({ folder }, free)
      }
    },
  })
}
