// Reads files for a request, which waits less than a minute. What it began goes on, and its repeat joins that.
import type { UploadOutcome, UploadTask } from './read-upload.ts'
import { fileProblem, type Readings, type UploadReader } from './shop.ts'

/** Many proxies end a request after a minute. */
const requestMs = 50_000
/** A request that has ended before its readings may be repeated for so long. */
const sharedMs = 2 * 60_000

export type RequestReader = {
  /** Aborted when the request has waited long enough. */
  signal: AbortSignal
  run(task: UploadTask): Promise<UploadOutcome>
  /** Joins the reading of this name that goes on or has ended lately, or begins it. */
  share(name: string, read: () => Promise<UploadOutcome>): Promise<UploadOutcome>
  /** Throws uploads.timed_out when the request has waited long enough. */
  wait<Result>(work: Promise<Result>): Promise<Result>
}

export function openRequestReader(
  reader: UploadReader,
  signal: AbortSignal = AbortSignal.timeout(requestMs),
): RequestReader {
  const { readings } = reader
  async function share(name: string, read: () => Promise<UploadOutcome>): Promise<UploadOutcome> {
    const reading = readings.get(name) ?? begin(readings, name, read)
    // A failure that a request was told is not told to the next one, which reads again.
    const told = reading.catch((error: unknown) => {
      if (!signal.aborted) forget(readings, name, reading)
      throw error
    })
    return await wait(told, signal)
  }
  return {
    signal,
    share,
    run: (task) => share(`${task.kind} ${task.path} ${task.file_name}`, () => reader.run(task)),
    wait: (work) => wait(work, signal),
  }
}

function begin(readings: Readings, name: string, read: () => Promise<UploadOutcome>): Promise<UploadOutcome> {
  const reading = read()
  readings.set(name, reading)
  const forgetLater = () => void setTimeout(() => forget(readings, name, reading), sharedMs).unref()
  reading.then(forgetLater, forgetLater)
  return reading
}

function forget(readings: Readings, name: string, reading: Promise<UploadOutcome>): void {
  if (readings.get(name) === reading) readings.delete(name)
}

async function wait<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  // Nobody waits for what fails later.
  work.catch(() => undefined)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(fileProblem('uploads.timed_out', { retryAfter: 2 }))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, late])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
