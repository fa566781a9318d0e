// Opens pictures in a process of its own: they come from outside, and decoders are native code.
import { pathToFileURL } from 'node:url'
import {
  openBoundedWorker,
  WorkerCrashError,
  WorkerLimitError,
  type BoundedWorker,
} from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import { Problem } from '../../problems.ts'
import type { DrawTask } from './draw-picture.ts'
import type { ReadOutcome, ReadPicture, ReadTask } from './read-picture.ts'

export type PictureTask = ReadTask | DrawTask
type PictureOutcome = ReadOutcome | { drawn: Uint8Array }

export type PictureReader = BoundedWorker<PictureTask, PictureOutcome>

export type WithPictureReader = { pictureReader: PictureReader }

const limits = {
  threads: 1,
  mostWaiting: 8,
  taskMs: 40_000,
  memoryMb: 128,
  idleMs: 10_000,
  areProcesses: true,
}

/** Started with the first picture, not at the start. */
export function openPictureReader(): PictureReader {
  return openBoundedWorker(pathToFileURL(ownFile('#features/pictures/picture-process.ts')), limits)
}

/** Throws uploads.not_a_picture with what to do about it, uploads.busy. */
export async function readRenditions(
  { pictureReader }: WithPictureReader,
  source: ReadTask['source'],
): Promise<ReadPicture> {
  const outcome = await pictureReader.run({ source }).catch(refuse)
  if ('refused' in outcome) throw new Problem('uploads.not_a_picture', { detail: outcome.refused })
  if ('picture' in outcome) return outcome.picture
  throw new Error('a picture was not read as one')
}

/** A JPEG. Throws uploads.busy. */
export async function drawnPicture(
  { pictureReader }: WithPictureReader,
  task: DrawTask,
): Promise<Uint8Array> {
  const outcome = await pictureReader.run(task).catch(refuse)
  if ('drawn' in outcome) return outcome.drawn
  throw new Error('a picture was not drawn')
}

function refuse(error: unknown): never {
  if (error instanceof WorkerLimitError && error.limit === 'queue')
    throw new Problem('uploads.busy', { retryAfter: 5 })
  if (error instanceof WorkerLimitError || error instanceof WorkerCrashError)
    throw new Problem('uploads.not_a_picture', {
      detail: 'This picture could not be opened. Please open it on your computer and export it as a JPEG.',
    })
  throw error
}
