// The trial of the second place: whether a backup can be written there, read and deleted, with advice where it cannot.
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { PlaceTest, TryStep } from '#contract/backup/second-place.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { httpStatus } from '#platform/bucket-client.ts'
import { incomingFolder } from '#platform/folder-storage.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import type { Storage } from '#platform/storage.ts'
import { errorCode, failureReason } from '#platform/errors.ts'
import { outgoingFolder } from '#platform/data-folders.ts'
import { PrivateHostError } from '#platform/public-connection.ts'
import { bucketAddress, bucketLabel } from './bucket-address.ts'
import { type BackupShop, backupProblem } from './shop.ts'

/** Somebody waits for the result: each of five attempts ends after so long without a byte. */
const trySeconds = '4'

/** Tries the settings as they are saved. What is written is removed; a killed process may leave it to the next backup. */
export async function tryPlace(services: BackupShop, actor: Actor): Promise<PlaceTest> {
  const { settings, config, db } = services
  const { backups } = settings.get()
  if (!backups.bucket) throw backupProblem('backups.no_place')
  const place = bucketLabel(backups)
  await recordAuditEvent(db, actor, { action: 'backups.tried', subject: place })
  const address = new URL(bucketAddress(backups))
  address.searchParams.set('timeout', trySeconds)
  const { access_key: accessKeyId, secret_key: secretAccessKey = '', is_public_only: isPublicOnly } = backups
  const access = { credentials: { accessKeyId, secretAccessKey }, isPublicOnly }
  const storage = openStorageAt(address.href, outgoingFolder(config.dataDir), access)
  let step: TryStep = 'write'
  try {
    for await (const next of trySteps(storage)) step = next
    return { place, failed: null, reason: null, advice: null }
  } catch (error) {
    return { place, failed: step, reason: failureReason(error), advice: adviceFor(error, step) }
  }
}

async function* trySteps(storage: Storage): AsyncGenerator<TryStep> {
  const name = `${incomingFolder}try-${randomUUID()}`
  const content = Buffer.from('Lectern tries whether it can keep backups here.')
  yield 'write'
  await storage.write(name, content)
  yield 'list'
  const listed: string[] = []
  for await (const each of storage.list(name)) listed.push(each)
  if (!listed.includes(name)) throw new Error('What was written is not in the list.')
  yield 'read'
  if (!(await buffer(await storage.read(name))).equals(content))
    throw new Error('What was read is not what was written.')
  yield 'remove'
  await storage.remove(name)
}

const rights: Record<TryStep, string> = {
  write: 's3:PutObject',
  list: 's3:ListBucket',
  read: 's3:GetObject',
  remove: 's3:DeleteObject',
}

/** The keys are the codes of S3's errors, which the client has as their names. */
const adviceByName: Record<string, string> = {
  InvalidAccessKeyId: 'The provider does not know this access key. Copy it again, whole.',
  SignatureDoesNotMatch: 'The secret key is not the one of this access key. Enter it again.',
  NoSuchBucket: 'There is no bucket of this name at this server. Create it there, or correct its name.',
  AuthorizationHeaderMalformed:
    'The region is not the one of this bucket. Your provider shows it beside the bucket.',
  PermanentRedirect:
    'The bucket is in another region or at another server. Your provider shows it beside the bucket.',
  IllegalLocationConstraintException: 'The region is not the one of this bucket.',
  RequestTimeTooSkewed: 'The clock of the shop’s machine is wrong. Set it by NTP.',
  ObjectLockConfigurationNotFoundError: 'Turn off the object lock of the bucket.',
}

const adviceByCode: Record<string, string> = {
  ENOTFOUND: 'There is no server of this name. Look at the address, letter by letter.',
  EAI_AGAIN: 'The shop’s machine could not look up the name of the server. Is it connected to the internet?',
  ECONNREFUSED: 'Nothing answers at this address. Look at its port.',
  ETIMEDOUT: 'The server does not answer. Look at the address, and whether a firewall is in the way.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The server’s certificate is for another name. Look at the address.',
  CERT_HAS_EXPIRED: 'The server’s certificate has expired. Ask its provider.',
}

function adviceFor(error: unknown, step: TryStep): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (each instanceof PrivateHostError)
      return 'Enter a server on the internet. One in the shop’s own network is named by BACKUP_URL, where the shop is started.'
  return findAdvice(error, step) ?? 'Compare each field with what your provider shows.'
}

/** Undefined where the failure is none that a provider of buckets is known for. */
export function findAdvice(error: unknown, step: TryStep): string | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const known = adviceByName[each.name] ?? adviceByCode[errorCode(each) ?? '']
    if (known) return known
    const status = httpStatus(each)
    if (status === 301 || status === 307) return adviceByName['PermanentRedirect'] ?? ''
    if (status === 401 || status === 403)
      return `The keys are known, and may not do this: allow ${rights[step]} in this bucket.`
    if (status === 404) return adviceByName['NoSuchBucket'] ?? ''
    if (status !== undefined && status >= 500) return 'The server has a fault of its own. Try again later.'
    if (each.name === 'TimeoutError') return adviceByCode['ETIMEDOUT'] ?? ''
  }
  return undefined
}
