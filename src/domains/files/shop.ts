// The services up to the files domain, and its refusals as Problems.
import type { AccountsShop } from '#domains/accounts/shop.ts'
import type { BoundedWorker } from '#platform/bounded-worker.ts'
import type { DrawTask } from './drawn-picture.ts'
import type { ReadOutcome, ReadTask } from './read-picture.ts'
import type { UploadOutcome, UploadTask } from './read-upload.ts'
import { fileRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

/** Readings by names of content that never changes: those that go on, and those that have ended lately. */
export type Readings = Map<string, Promise<UploadOutcome>>
export type UploadReader = BoundedWorker<UploadTask, UploadOutcome> & { readings: Readings }
export type PictureTask = ReadTask | DrawTask
export type PictureReader = BoundedWorker<PictureTask, ReadOutcome | { drawn: Uint8Array }>

export type FilesShop = AccountsShop & { uploadReader: UploadReader; pictureReader: PictureReader }

export const fileProblem = problems(fileRefusals)
