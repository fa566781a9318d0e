// Hashes and compares passwords in a thread of its own, and refuses common ones.
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { once } from '#platform/cached.ts'
import { minPasswordLength } from '#contract/field-rules.ts'
import { comparable } from '#contract/comparable-text.ts'
import { ownFile } from '#platform/own-file.ts'
import { accountProblem } from './accounts.ts'

/** OWASP's second choice: 19 MiB, two passes, one lane. The package hashes with argon2id by default. */
export const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const hashers = Math.max(1, availableParallelism() - 1)

export type Passwords = {
  /** Keyboards and programs write one password in several ways: its comparable form is hashed. */
  hash(password: string): Promise<string>
  /** Takes as long for an account that does not exist, or has no password, as for any other. */
  isRight(password: string, password_hash: string | null | undefined): Promise<boolean>
}

export function createPasswords(): Passwords {
  const hashing = openHashing({ threads: hashers, maxQueued: 64 })
  const base64 = (size: number) => randomBytes(size).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = argon2id
  const unknownHash = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(32)}`

  const isMatch = async (password: string, password_hash: string) =>
    (await hashing({ password, password_hash })) === true

  return {
    hash: async (password) => String(await hashing({ password: comparable(password) })),
    async isRight(password, password_hash) {
      return isMatch(comparable(password), password_hash ?? unknownHash)
    },
  }
}

type PasswordTask = { password: string; password_hash?: string }
export type HashTask = PasswordTask & { cost: typeof argon2id }
export type HashResult = { result: string | boolean } | { error: string }

type Hashing = (task: PasswordTask) => Promise<string | boolean>

/** Keeps off Node's pool of four threads: hashes would delay file access and DNS. Each takes 19 MiB, so the queue is limited. */
export function openHashing({ threads, maxQueued }: { threads: number; maxQueued: number }): Hashing {
  const all = Array.from({ length: threads }, createThread)

  return async (task) => {
    const unfinished = all.reduce((sum, thread) => sum + thread.unfinished(), 0)
    if (unfinished >= threads + maxQueued) throw accountProblem('auth.request_timeout', { retryAfter: 2 })
    const idlest = all.reduce((best, thread) => (thread.unfinished() < best.unfinished() ? thread : best))
    return idlest.run(task)
  }
}

/** Started by its first task, and again after a crash. */
function createThread() {
  let worker: Worker | undefined
  const inTurn: PromiseWithResolvers<string | boolean>[] = []

  function start(): Worker {
    const started = new Worker(ownFile('#domains/accounts/hashing-thread.ts'), { name: 'hashing' })
    started.on('message', (response: HashResult | object) => {
      // Node sends the imports of the thread, too, under `node --watch`.
      if (!('result' in response || 'error' in response)) return
      const task = inTurn.shift()
      if ('error' in response) task?.reject(new Error(response.error))
      else task?.resolve(response.result)
      if (inTurn.length === 0) started.unref()
    })
    started.on('error', (error) => {
      worker = undefined
      for (const task of inTurn.splice(0)) task.reject(error)
    })
    return started
  }

  return {
    unfinished: () => inTurn.length,
    run(task: PasswordTask): Promise<string | boolean> {
      const response = Promise.withResolvers<string | boolean>()
      inTurn.push(response)
      worker ??= start()
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ ...task, cost: argon2id } satisfies HashTask)
      return response.promise
    },
  }
}

/** Users may have one of these, admins may not. */
const commonPasswords = 10_000

const commonest = once(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const ranked = dictionary['passwords-common'].filter(
    (each) => typeof each === 'string' && each.length >= minPasswordLength,
  )
  return new Set<unknown>(ranked.slice(0, commonPasswords))
})

export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonest()).has(comparable(password).toLowerCase())
}

export async function requireUncommon(password: string): Promise<void> {
  if (await isCommonPassword(password)) throw accountProblem('auth.common_password')
}
