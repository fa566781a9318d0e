// Runs in a thread of its own: one hash after the other, without waiting for the main thread in between.
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { argon2id } from './argon2id.ts'
import type { Answer, Task } from './hashing.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.on('message', (task: Task) => parentPort?.postMessage(work(task)))

function work({ password, password_hash }: Task): Answer {
  try {
    if (password_hash === undefined) return { result: hashSync(password, argon2id) }
    return { result: verifySync(password_hash, password) }
  } catch (error) {
    return { error: String(error) }
  }
}
