// Runs in a thread of its own: one hash after the other.
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashResult, HashTask } from './passwords.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.on('message', (task: HashTask) => parentPort?.postMessage(work(task)))

function work({ password, password_hash, cost }: HashTask): HashResult {
  try {
    if (password_hash === undefined) return { result: hashSync(password, cost) }
    return { result: verifySync(password_hash, password) }
  } catch (error) {
    return { error: String(error) }
  }
}
