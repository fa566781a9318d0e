// The thread that reads uploads: one task after the other, each answered once.
import { parentPort } from 'node:worker_threads'
import type { WorkerReply } from '#platform/bounded-worker.ts'
import { readUpload, type UploadOutcome, type UploadTask } from './read-upload.ts'

parentPort?.on('message', (task: UploadTask) => void response(task))

async function response(task: UploadTask): Promise<void> {
  const reply: WorkerReply<UploadOutcome> = await readUpload(task).then(
    (result) => ({ result }),
    (error: unknown) => ({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply)
}
