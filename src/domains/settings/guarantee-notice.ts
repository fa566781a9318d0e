// The notice on the legal guarantee among the settings of shipping: one for each language that a page may have.
import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { noticeLanguage, type GuaranteeNotice, type NoticeLanguage } from '#contract/orders/eu-paper.ts'
import { settingGroups, settingValues, type NoticeState } from '#contract/settings/settings.ts'
import { readDraft } from '#domains/book/drafts.ts'
import { importNotice } from '#domains/files/notice-picture.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { Transaction } from '#platform/db/client.ts'
import { addFields } from '#platform/stored-settings.ts'
import { settings as settingRows } from '#tables/platform.ts'
import type { SettingsShop } from './shop.ts'

/** In the language of the author's own page, also of one that waits for the opening. */
export async function readNotice({ db, settings, book }: SettingsShop): Promise<NoticeState> {
  const published = await book.get()
  const { document } = published.is_own ? published : await readDraft(db)
  const language = noticeLanguage(document.language)
  return { language, notice: settings.get().shipping.notices[language] ?? null }
}

type Upload = { language: NoticeLanguage; upload_id: string }

/** It replaces the notice in this language, if there is one, and is in force in this process when this returns. */
export async function saveNotice(
  services: SettingsShop,
  actor: Actor,
  { language, upload_id }: Upload,
): Promise<void> {
  await importNotice(services, upload_id, (tx, notice) =>
    changeNotices(tx, actor, language, (notices) => ({ ...notices, [language]: notice })),
  )
  await services.settings.refresh()
}

export async function removeNotice(
  services: SettingsShop,
  actor: Actor,
  language: NoticeLanguage,
): Promise<void> {
  await services.db.transaction((tx) =>
    changeNotices(tx, actor, language, ({ [language]: _removed, ...others }) => others),
  )
  await services.settings.refresh()
}

type Notices = Partial<Record<NoticeLanguage, GuaranteeNotice>>

async function changeNotices(
  tx: Transaction,
  actor: Actor,
  language: NoticeLanguage,
  change: (notices: Notices) => Notices,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern settings'))`)
  const isShipping = eq(settingRows.name, 'shipping')
  const [row] = await tx.select({ fields: settingRows.fields }).from(settingRows).where(isShipping)
  const before = settingValues.shape.shipping.shape.notices.catch({}).parse(row?.fields['notices'] ?? {})
  const notices = change(before)
  if (isDeepStrictEqual(notices, before)) return
  // The revision stays: a form of settings that is open somewhere has none of it.
  await addFields(tx, 'shipping', { notices })
  const { label: subject } = settingGroups.shipping
  const detail = { [`notice_${language}`]: language in notices ? 'set' : 'removed' }
  await recordAuditEvent(tx, actor, { action: 'settings.changed', subject, detail })
}
