// A piece of an upload, from the socket straight into its file. The library's own way leads through web streams, at half
// the speed; whatever is not a plain piece in its place is left to the library, to be refused as the protocol has it.
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** As the library's lockers have it; one at a time holds an upload, and is asked to let go by the next. */
type Locker = {
  newLock(id: string): {
    lock(stop: AbortSignal, release: () => void): Promise<void>
    unlock(): Promise<void>
  }
}

/** Who is asked to let go of an upload may finish what is on its way. */
const drainMs = 3_000

type Piece = { offset: number; length: number }

/** False when nothing of it was read. */
export async function receivePiece(
  request: IncomingMessage,
  response: ServerResponse,
  { path, size, lock }: { path: string; size: number; lock: ReturnType<Locker['newLock']> },
): Promise<boolean> {
  const piece = plainPiece(request)
  if (!piece || piece.offset + piece.length > size) return false
  const stopping = new AbortController()
  let letGo: NodeJS.Timeout | undefined
  await lock.lock(stopping.signal, () => {
    letGo ??= setTimeout(() => stopping.abort(), drainMs)
  })
  try {
    const found = await stat(path).catch(() => undefined)
    if (found?.size !== piece.offset) return false
    await write(request, path, piece.offset, stopping.signal)
  } catch {
    // The connection broke, or somebody else goes on with it: what has come stays.
    response.destroy()
    return true
  } finally {
    clearTimeout(letGo)
    await lock.unlock()
  }
  response.writeHead(204, {
    'tus-resumable': '1.0.0',
    'upload-offset': String(piece.offset + piece.length),
    'cache-control': 'no-store',
  })
  response.end()
  return true
}

function plainPiece({ method, headers }: IncomingMessage): Piece | undefined {
  const offset = Number(headers['upload-offset'] ?? Number.NaN)
  const length = Number(headers['content-length'] ?? Number.NaN)
  const isPlain =
    method === 'PATCH' &&
    headers['tus-resumable'] === '1.0.0' &&
    headers['content-type'] === 'application/offset+octet-stream' &&
    headers['upload-length'] === undefined &&
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length)
  return isPlain ? { offset, length } : undefined
}

/** Settles only once the file is closed: nobody else may write before. */
async function write(
  request: IncomingMessage,
  path: string,
  start: number,
  signal: AbortSignal,
): Promise<void> {
  const file = createWriteStream(path, { flags: 'r+', start })
  const closed = once(file, 'close')
  try {
    await pipeline(request, file, { signal })
  } finally {
    await closed.catch(() => undefined)
  }
}
