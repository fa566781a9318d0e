import { parentPort } from 'node:worker_threads'
import type { WorkerReply } from './bounded-worker.ts'

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what comes is what the shop sends
export function serveTasks<Task>(work: (task: Task) => Promise<unknown>): void {
  async function respond(task: Task): Promise<void> {
    const reply = await work(task).then(
      (result): WorkerReply<unknown> => ({ result }),
      (error: unknown) => ({
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    )
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    if (parentPort) parentPort.postMessage(reply)
    else process.send?.(reply)
  }
  if (parentPort) {
    parentPort.on('message', (task: Task) => void respond(task))
    return
  }
  process.on('message', (task: Task) => void respond(task))
  // The whole process group gets them: this process ends with its channel, after its task.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
}
