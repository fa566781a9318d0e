// Secrets among the settings: sealed here, because a change of AUTH_SECRET has to seal them again (accounts/secrets.ts).
import { eq } from 'drizzle-orm'
import type { Transaction } from './db/client.ts'
import type { Secret } from './secret.ts'
import { setting_secrets } from '#tables/platform.ts'
import { seal, unseal } from './secrets.ts'

const purpose = 'setting secrets'

export type SettingSecret = {
  /** Undefined where it was sealed with a secret that this machine does not have. */
  text: string | undefined
  set_at: Date
  set_by: string
}

export async function readSettingSecrets(
  tx: Transaction,
  secret: Secret | undefined,
): Promise<Map<string, SettingSecret>> {
  const rows = await tx.select().from(setting_secrets)
  const key = secret?.key(purpose)
  return new Map(
    rows.map(({ name, sealed, set_at, set_by }) => [
      name,
      { text: key && open(key, sealed), set_at, set_by },
    ]),
  )
}

export async function saveSettingSecret(
  tx: Transaction,
  secret: Secret,
  { text, ...row }: { name: string; text: string; set_at: Date; set_by: string },
): Promise<void> {
  const set = { ...row, sealed: seal(secret.key(purpose), text) }
  await tx.insert(setting_secrets).values(set).onConflictDoUpdate({ target: setting_secrets.name, set })
}

export async function deleteSettingSecret(tx: Transaction, name: string): Promise<void> {
  await tx.delete(setting_secrets).where(eq(setting_secrets.name, name))
}

export async function deleteSettingSecrets(tx: Transaction): Promise<void> {
  await tx.delete(setting_secrets)
}

/** One that `from` does not open stays as it is: it has to be entered again. */
export async function resealSettingSecrets(
  tx: Transaction,
  { from, to }: { from: Secret; to: Secret },
): Promise<void> {
  for (const { name, sealed } of await tx.select().from(setting_secrets).for('update')) {
    const text = open(from.key(purpose), sealed)
    if (text === undefined) continue
    const anew = { sealed: seal(to.key(purpose), text) }
    await tx.update(setting_secrets).set(anew).where(eq(setting_secrets.name, name))
  }
}

function open(key: Buffer, sealed: Buffer): string | undefined {
  try {
    return unseal(key, sealed)
  } catch {
    return undefined
  }
}
