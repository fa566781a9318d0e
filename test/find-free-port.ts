// A port for a process that is started next and has to be told where to listen.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Above the ports that `fetch` and browsers refuse (the last is 10080: https://fetch.spec.whatwg.org/#port-blocking), and
 * below those that systems give to outgoing connections (32768 and up on Linux): one of them could take it meanwhile.
 */
const [first, end] = [10_081, 32_000]

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, end)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}
