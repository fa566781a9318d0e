// Opens pictures in a process of its own: they come from outside, and decoders are native code.
import { pathToFileURL } from 'node:url'
import {
  openBoundedWorker,
  WorkerCrashError,
  WorkerLimitError,
  type BoundedWorker,
} from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import { fileProblem } from './problem.ts'
import type { DrawTask } from './draw-picture.ts'
import type { ReadOutcome, ReadTask } from './read-picture.ts'

export type PictureTask = ReadTask | DrawTask
type PictureOutcome = ReadOutcome | { drawn: Uint8Array }

export type PictureReader = BoundedWorker<PictureTask, PictureOutcome>

export type WithPictureReader = { pictureReader: PictureReader }

/** A progressive photo of 26 million pixels takes 180 MB. */
const maxProcessMb = 240
const limits = { threads: 1, maxQueued: 8, taskMs: 40_000, memoryMb: 128, idleMs: 10_000, maxProcessMb }

const tooLarge =
  'This picture takes more memory than the shop has for one. Please save it smaller, for example 1600 pixels wide.'

export function openPictureReader(changed: Partial<typeof limits> = {}): PictureReader {
  const script = pathToFileURL(ownFile('#domains/files/picture-process.ts'))
  return openBoundedWorker(script, { ...limits, ...changed })
}

export async function readRenditions({ pictureReader }: WithPictureReader, source: ReadTask['source']) {
  const outcome = await pictureReader.run({ source }).catch((error: unknown) => {
    if (error instanceof WorkerLimitError && error.limit === 'memory')
      throw fileProblem('uploads.not_a_picture', { detail: tooLarge, cause: error })
    return refuse(
      error,
      'This picture could not be opened in time. Please try again. If that fails too, export it on your computer as a JPEG.',
    )
  })
  if ('refused' in outcome) throw fileProblem('uploads.not_a_picture', { detail: outcome.refused })
  if ('picture' in outcome) return outcome.picture
  throw new Error('a picture was not read as one')
}

export async function drawnPicture({ pictureReader }: WithPictureReader, task: DrawTask) {
  const outcome = await pictureReader.run(task).catch((error: unknown) => refuse(error))
  if ('drawn' in outcome) return outcome.drawn
  throw new Error('a picture was not drawn')
}

/** The picture may be fine when its process was ended or had no memory. */
function refuse(error: unknown, detail?: string): never {
  if (error instanceof WorkerLimitError && error.limit === 'queue')
    throw fileProblem('uploads.busy', { retryAfter: 5 })
  if (error instanceof WorkerLimitError || error instanceof WorkerCrashError)
    throw fileProblem('pictures.too_slow', { retryAfter: 5, ...(detail && { detail }), cause: error })
  throw error
}
