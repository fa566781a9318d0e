import { randomBytes } from 'node:crypto'
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
import { secretFrom, type Secret } from './secret.ts'
import type { Config } from '../config.ts'

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
