import type { AccountsShop } from '#domains/accounts/shop.ts'
import type { BoundedWorker } from '#platform/bounded-worker.ts'
import type { DrawTask, ReadOutcome, ReadTask } from './read-picture.ts'
import type { UploadOutcome, UploadTask } from './read-upload.ts'
import { fileRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export type UploadReader = BoundedWorker<UploadTask, UploadOutcome>
export type PictureTask = ReadTask | DrawTask
export type PictureReader = BoundedWorker<PictureTask, ReadOutcome | { drawn: Uint8Array }>

export type FilesShop = AccountsShop & { uploadReader: UploadReader; pictureReader: PictureReader }

export const fileProblem = problems(fileRefusals)
