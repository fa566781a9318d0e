// A piece of an upload, from the socket straight into its file. The library's own way leads through web streams, at half
// the speed; whatever is not a plain piece in its place is left to the library, to be refused as the protocol has it.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { isDiskFull } from './disk-full.ts'
import type { Log } from './log.ts'

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
type Place = { path: string; size: number; lock: ReturnType<Locker['newLock']> }

/** False when nothing of it was read. What the disk refuses is thrown, and the connection stays to say so. */
export async function receivePiece(
  request: IncomingMessage,
  response: ServerResponse,
  { path, size, lock }: Place,
  log: Pick<Log, 'error'>,
): Promise<boolean> {
  const piece = plainPiece(request)
  if (!piece || piece.offset + piece.length > size) return false
  const stopping = new AbortController()
  let release: NodeJS.Timeout | undefined
  const hold = lock.lock(stopping.signal, () => {
    release ??= setTimeout(() => stopping.abort(), drainMs)
  })
  const isHeld = await hold.then(
    () => true,
    () => false,
  )
  // Somebody else has held it for long; browsers try again.
  if (!isHeld) return answer(response, 423)
  try {
    const found = await stat(path).catch(() => undefined)
    if (found?.size !== piece.offset) return false
    await write(request, path, piece.offset, stopping.signal)
  } catch (error) {
    // What has come stays, whatever went wrong.
    if (isDiskFull(error)) {
      request.resume()
      throw error
    }
    if (!isBreak(error)) log.error({ err: error }, 'an upload could not be written down')
    response.destroy()
    return true
  } finally {
    clearTimeout(release)
    await lock.unlock()
  }
  return answer(response, 204, { 'upload-offset': String(piece.offset + piece.length) })
}

function answer(response: ServerResponse, status: number, headers: Record<string, string> = {}): true {
  response.writeHead(status, { 'tus-resumable': '1.0.0', 'cache-control': 'no-store', ...headers }).end()
  return true
}

/** Of the connection, or by the next sender; anything else is the disk's. */
function isBreak(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function plainPiece({ method, headers }: IncomingMessage): Piece | undefined {
  const offset = wholeNumber(headers['upload-offset'])
  const length = wholeNumber(headers['content-length'])
  const isPlain =
    method === 'PATCH' &&
    headers['tus-resumable'] === '1.0.0' &&
    headers['content-type'] === 'application/offset+octet-stream' &&
    headers['upload-length'] === undefined &&
    !Number.isNaN(offset + length)
  return isPlain ? { offset, length } : undefined
}

/** Not a number for what is none, or for more than can be counted. */
function wholeNumber(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : Number.NaN
}

/** Settles only once the file is closed: nobody else may write before. */
async function write(
  request: IncomingMessage,
  path: string,
  start: number,
  signal: AbortSignal,
): Promise<void> {
  const file = createWriteStream(path, { flags: 'r+', start, highWaterMark: 256 * 1024 })
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()))
  const written = finished(file)
  written.catch(() => {})
  const cut = () => void request.destroy()
  try {
    signal.addEventListener('abort', cut)
    // Destroyed, the connection could not be told that the disk is full.
    const chunks: AsyncIterable<Buffer<ArrayBuffer>> = request.iterator({ destroyOnReturn: false })
    for await (const chunk of chunks) {
      const hasRoom = file.write(chunk, (error) => error ?? giveBack(chunk))
      if (!hasRoom) await Promise.race([once(file, 'drain'), written])
    }
    file.end()
    await written
  } finally {
    signal.removeEventListener('abort', cut)
    file.destroy()
    await closed
  }
}

/** Its memory, at once: the collector, left to do it, stops everything for each 32 MB that pass through. */
function giveBack({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}
