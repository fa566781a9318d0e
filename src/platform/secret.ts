import { createHmac, hkdfSync, timingSafeEqual, randomBytes } from 'node:crypto'
import { findSigner, isVerifying, type Generation } from './key-rotation.ts'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
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

/** The database says which one is in force. */
export type Secrets = {
  known(): Secret[]
  find(fingerprint: Buffer | undefined): Secret
  /** The newest first, at most ten seconds old. */
  read(): Promise<Generation<Secret>[]>
  inForce(): Secret
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

type WithSecrets = { secrets: Pick<Secrets, 'read'>; clock: () => Date }

export async function signingKey({ secrets, clock }: WithSecrets, purpose: string): Promise<Buffer> {
  return findSigner(await secrets.read(), clock()).key(purpose)
}

/** The secret that has signed `payload`. Whether it could still sign then, `isValidFor` says. */
export async function findSigningSecret(
  { secrets, clock }: WithSecrets,
  purpose: string,
  { payload, signature }: { payload: string; signature: string },
): Promise<Generation<Secret> | undefined> {
  const now = clock()
  return (await secrets.read()).find(
    (generation) =>
      isVerifying(generation, now) && isSignedBy(generation.key.key(purpose), payload, signature),
  )
}

type Settings = Pick<Config, 'authSecret' | 'oldAuthSecret' | 'dataDir'>

export function configuredSecret({ authSecret, dataDir }: Settings): Secret {
  return secretFrom(authSecret ?? storedSecret(dataDir, 'secret'))
}

export function knownSecrets(config: Settings): [Secret, ...Secret[]] {
  const others = existingSecrets({ ...config, authSecret: undefined })
  return [configuredSecret(config), ...others]
}

export function existingSecrets({ authSecret, oldAuthSecret, dataDir }: Settings): Secret[] {
  // `secret.next` becomes `secret`: in this order of reading, none is missed.
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter(isSecretFile).toSorted().toReversed() : []
  const stored = names.flatMap((name) => readSecret(join(dataDir, name)) ?? [])
  return [authSecret, oldAuthSecret, ...stored].filter((text) => text !== undefined).map(secretFrom)
}

export function findSecret(known: readonly Secret[], fingerprint: Buffer): Secret | undefined {
  return known.find((secret) => secret.fingerprint.equals(fingerprint))
}

export function prepareSecret(dataDir: string): Secret {
  return secretFrom(storedSecret(dataDir, 'secret.next'))
}

/** Never the one that an interrupted change has left: it may be as old as a leak. */
export function prepareFreshSecret(dataDir: string): Secret {
  const path = join(dataDir, 'secret.next')
  const left = readSecret(path)
  if (left !== undefined) {
    // Another process may be putting it in force.
    linkUnlessThere(path, join(dataDir, earlierName(secretFrom(left))))
    rmSync(path, { force: true })
  }
  return prepareSecret(dataDir)
}

export function preparedSecret(dataDir: string): Secret | undefined {
  return existsSync(join(dataDir, 'secret.next')) ? prepareSecret(dataDir) : undefined
}

/** The one before stays, for backups from before. */
export function putInPlace(dataDir: string, { text }: Secret): void {
  const path = join(dataDir, 'secret')
  const before = readSecret(path)
  if (before !== text) {
    if (before !== undefined) linkUnlessThere(path, join(dataDir, earlierName(secretFrom(before))))
    renameSync(writeTemporary(path, text), path)
  }
  const next = join(dataDir, 'secret.next')
  if (readSecret(next) === text) rmSync(next, { force: true })
}

function earlierName({ fingerprint }: Secret): string {
  return `secret.${fingerprint.toString('hex', 0, 8)}`
}

export function isSecretFile(name: string): boolean {
  return /^secret(\.next|\.[0-9a-f]{16})?$/.test(name)
}

function storedSecret(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  const stored = readSecret(path)
  if (stored !== undefined) return stored
  writeUnlessThere(path, randomBytes(32).toString('base64url'))
  return readFileSync(path, 'utf8').trim()
}

function writeUnlessThere(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = writeTemporary(path, text)
  try {
    linkUnlessThere(temporary, path)
  } finally {
    unlinkSync(temporary)
  }
}

function writeTemporary(path: string, text: string): string {
  const temporary = `${path}.${process.pid}.new`
  writeFileSync(temporary, `${text}\n`, { mode: 0o600, flush: true })
  return temporary
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    return unlessMissing(error)
  }
}
