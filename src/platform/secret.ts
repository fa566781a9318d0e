// The secret of the shop: its files, the keys derived from it, and signatures.
import { createHmac, hkdfSync, timingSafeEqual, randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, unlessMissing } from './errors.ts'
import type { Config } from '../config.ts'

export type Secret = {
  text: string
  /** Derived one way: it opens and signs nothing. */
  fingerprint: Buffer
  key(purpose: string): Buffer
}

export function secretFrom(text: string): Secret {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', text, '', `lectern ${purpose}`, 32))
  return { text, fingerprint: key('fingerprint'), key }
}

export function sign(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url')
}

export function isSignedBy(key: Buffer, payload: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, payload))
  const received = Buffer.from(signature)
  return expected.length === received.length && timingSafeEqual(expected, received)
}

type Settings = Pick<Config, 'authSecret' | 'oldAuthSecret' | 'dataDir'>

export function configuredSecret({ authSecret, dataDir }: Settings): Secret {
  return secretFrom(authSecret ?? storedSecret(dataDir))
}

export function knownSecrets(config: Settings): [Secret, ...Secret[]] {
  const others = existingSecrets({ ...config, authSecret: undefined })
  return [configuredSecret(config), ...others]
}

export function existingSecrets({ authSecret, oldAuthSecret, dataDir }: Settings): Secret[] {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter(isSecretFile) : []
  const stored = names.flatMap((name) => readSecret(join(dataDir, name)) ?? [])
  return [authSecret, oldAuthSecret, ...stored].filter((text) => text !== undefined).map(secretFrom)
}

export function findSecret(known: readonly Secret[], fingerprint: Buffer): Secret | undefined {
  return known.find((secret) => secret.fingerprint.equals(fingerprint))
}

export function createSecret(): Secret {
  return secretFrom(randomBytes(32).toString('base64url'))
}

/** The one before stays beside it, for backups from before. */
export function putInPlace(dataDir: string, { text }: Secret): void {
  const path = join(dataDir, 'secret')
  const before = readSecret(path)
  if (before === text) return
  if (before !== undefined) writeUnlessThere(join(dataDir, earlierName(secretFrom(before))), before)
  renameSync(writeTemporary(path, text), path)
}

/** Serves data that have it: the start that finds them puts it in place. */
export function putBeside(dataDir: string, secret: Secret): void {
  writeUnlessThere(join(dataDir, earlierName(secret)), secret.text)
}

/**
 * A change of the secret writes the file before the database takes it, and keeps the one before: where the command was
 * killed in between, the file of the secret that the database has is put back.
 */
export function repairSecretFiles({ authSecret, dataDir }: Settings, secret: Secret): void {
  const stored = existingSecrets({ authSecret: undefined, oldAuthSecret: undefined, dataDir })
  if (authSecret === undefined && findSecret(stored, secret.fingerprint)) putInPlace(dataDir, secret)
}

function earlierName({ fingerprint }: Secret): string {
  return `secret.${fingerprint.toString('hex', 0, 8)}`
}

export function isSecretFile(name: string): boolean {
  return /^secret(\.[0-9a-f]{16})?$/.test(name)
}

function storedSecret(dataDir: string): string {
  const path = join(dataDir, 'secret')
  const stored = readSecret(path)
  if (stored !== undefined) return stored
  writeUnlessThere(path, createSecret().text)
  return readFileSync(path, 'utf8').trim()
}

function writeUnlessThere(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = writeTemporary(path, text)
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(temporary)
  }
}

function writeTemporary(path: string, text: string): string {
  const temporary = `${path}.${process.pid}.new`
  writeFileSync(temporary, `${text}\n`, { mode: 0o600, flush: true })
  return temporary
}

function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    return unlessMissing(error)
  }
}
