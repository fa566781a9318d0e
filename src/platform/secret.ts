// The shop's one secret and the keys derived from it, one for each purpose.
import { errorCode } from './error-code.ts'
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'

export type Secret = {
  /** 32 bytes; another purpose gives unrelated bytes. */
  key(purpose: string): Buffer
}

export function openSecret(config: Pick<Config, 'authSecret' | 'dataDir'>): Secret {
  return secretFrom(readMasterSecret(config))
}

/** AUTH_SECRET, or one made at the first start and stored in DATA_DIR, readable by its owner only. */
export function readMasterSecret({ authSecret, dataDir }: Pick<Config, 'authSecret' | 'dataDir'>): string {
  return authSecret ?? keptSecret(join(dataDir, 'secret'))
}

export function secretFrom(master: string): Secret {
  return { key: (purpose) => Buffer.from(hkdfSync('sha256', master, '', `lectern ${purpose}`, 32)) }
}

/** Puts a restored secret in the place of the one in DATA_DIR, which stays under `aside`. */
export function replaceSecret(dataDir: string, secret: string, aside: string): void {
  const path = join(dataDir, 'secret')
  writeFileSync(`${path}.restored`, `${secret}\n`, { mode: 0o600, flush: true })
  if (existsSync(path)) renameSync(path, join(dataDir, aside))
  renameSync(`${path}.restored`, path)
}

type NextSecret = { secret: Secret; putInForce: () => void }

/** Another secret, written beside the one in DATA_DIR and not yet in force. */
export function prepareSecret(dataDir: string): NextSecret {
  const [path, next] = [join(dataDir, 'secret'), join(dataDir, 'secret.next')]
  return { secret: secretFrom(keptSecret(next)), putInForce: () => renameSync(next, path) }
}

/** The one that an interrupted change has left. */
export function preparedSecret(dataDir: string): NextSecret | undefined {
  return existsSync(join(dataDir, 'secret.next')) ? prepareSecret(dataDir) : undefined
}

/** Written aside and linked into place, so that of several processes starting at once all read the same whole file. */
function keptSecret(path: string): string {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    const aside = `${path}.${process.pid}`
    writeFileSync(aside, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    try {
      linkSync(aside, path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    } finally {
      unlinkSync(aside)
    }
  }
  return readFileSync(path, 'utf8').trim()
}

export function sign(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url')
}

export function isSignedBy(key: Buffer, payload: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, payload))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
