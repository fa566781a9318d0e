// The passphrase of backups: offered once, in use once it was entered again, and never shown after that.
import { randomInt, createHash } from 'node:crypto'
import { z } from 'zod'
import {
  groupLetters,
  passphraseGroups,
  passphraseLetters,
  readPassphrase,
  type PassphraseOffer,
} from '#contract/backup/passphrase.ts'
import { minuteMs } from '#contract/durations.ts'
import { platformProblem } from '#platform/problem.ts'
import type { Actor } from '#platform/audit-log.ts'
import { seal, unseal } from '#platform/secrets.ts'
import { readSettings } from '#platform/stored-settings.ts'
import { saveSettings } from '#domains/settings/settings.ts'
import { type BackupShop, backupProblem } from './shop.ts'
import { settingsProblem } from '#domains/settings/shop.ts'

const offerMs = 30 * minuteMs
const purpose = 'passphrase offers'

const offered = z.object({
  passphrase: z.string(),
  user_id: z.uuid(),
  expires: z.number(),
  /** The hash is that of the passphrase to be replaced, so that of two admins only the first replaces it. */
  former: z.string(),
})

type Holder = { user_id: string }

function makePassphrase(): string {
  const letter = () => passphraseLetters.charAt(randomInt(passphraseLetters.length))
  const group = () => Array.from({ length: groupLetters }, letter).join('')
  return Array.from({ length: passphraseGroups }, group).join('-')
}

function hashOf(passphrase: string | undefined): string {
  return createHash('sha256')
    .update(passphrase ?? '')
    .digest('hex')
}

/** Nothing is stored: the offer has it, sealed for this shop and this admin. */
export function offerPassphrase(services: BackupShop, { user_id }: Holder): PassphraseOffer {
  const { secret, clock, config, settings } = services
  if (config.backup.passphrase) throw settingsProblem('settings.fixed')
  const present = settings.get().backups.passphrase
  const passphrase = makePassphrase()
  const content = { passphrase, user_id, expires: clock().getTime() + offerMs, former: hashOf(present) }
  const offer = seal(secret.key(purpose), JSON.stringify(content)).toString('base64url')
  return { passphrase, offer, replaces: present !== undefined }
}

/** The passphrase opens what the bucket holds from the next backup on, which seals the bucket’s key anew. */
export async function confirmPassphrase(
  services: BackupShop,
  actor: Actor,
  { offer, passphrase: typed, user_id }: Holder & { offer: string; passphrase: string },
): Promise<void> {
  const { config, clock, db, secret } = services
  if (config.backup.passphrase) throw settingsProblem('settings.fixed')
  const content = openOffer(services, offer)
  const isOver = !content || content.user_id !== user_id || content.expires < clock().getTime()
  if (isOver) throw backupProblem('backups.offer_ended')
  const { passphrase, former } = content
  if (readPassphrase(typed) !== passphrase)
    throw platformProblem('request.invalid', {
      fields: { passphrase: 'This is not what the page says. Look at it again, group by group.' },
    })
  const group = (await readSettings(db, secret))('backups')
  const present = group.secrets.get('passphrase')?.text
  if (hashOf(present) !== former) throw backupProblem('backups.offer_ended')
  const formers = [present, group.secrets.get('former_passphrases')?.text].filter(Boolean).join('\n')
  const values = { passphrase, ...(formers && { former_passphrases: formers }) }
  const { revision } = group
  const action = 'backups.passphrase_made'
  await saveSettings(services, actor, 'backups', { revision, values, action, isChecked: true })
}

function openOffer({ secret }: BackupShop, offer: string) {
  try {
    return offered.parse(JSON.parse(unseal(secret.key(purpose), Buffer.from(offer, 'base64url'))))
  } catch {
    return undefined
  }
}
