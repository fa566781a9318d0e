// Secrets among the settings: sealed, never shown again, and given to nobody else.
import { expect, test } from 'vitest'
import { openSecondShop } from '#test/second-shop.ts'
import { openOwnShop, saveGroup as save } from '#test/settings.ts'
import type { SettingsGroup } from '#contract/operations/settings.ts'

test('a secret never leaves the server: not to the screen, the log of changes or the table', async () => {
  await using shop = await openOwnShop()
  await using other = await openSecondShop(shop)
  const { admin } = shop
  const { database, settings } = shop.services
  const password = 'a long password of the mail server'
  const change = (revision: number, values: object) => save(admin, { revision, values }, 'mail')
  const describe = async () => {
    const text = await (await admin.call('GET', '/api/admin/settings/mail')).text()
    expect(text).not.toContain(password)
    return (JSON.parse(text) as SettingsGroup).secrets['password']
  }
  expect(await describe()).toBeNull()
  expect(await change(0, { password })).toEqual({ status: 200 })
  expect(settings.get().mail.password).toBe(password)
  await expect.poll(() => other.services.settings.get().mail.password, { timeout: 1_000 }).toBe(password)
  expect(await describe()).toMatchObject({ ends_in: 'rver', is_readable: true, set_by: admin.email })
  expect(await change(1, { password })).toEqual({ status: 200 })
  expect((await shop.events()).map(({ detail }) => detail)).toEqual([{ password: 'set' }])
  const { rows } = await database.pool.query('select fields from settings')
  expect(JSON.stringify(rows)).not.toContain(password)

  // Of a short one, the end would tell too much.
  expect(await change(1, { password: 'short one' })).toEqual({ status: 200 })
  expect(await describe()).toMatchObject({ ends_in: null })
  expect(await change(2, { password: null })).toEqual({ status: 200 })
  expect([await describe(), settings.get().mail.password]).toEqual([null, undefined])
  expect((await shop.events()).at(-1)).toMatchObject({ subject: 'mail', detail: { password: 'removed' } })
})

test('a stored password goes to the mail server that it was entered for, and to no other', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  const { settings } = shop.services
  const server = { host: 'smtp.one.example', port: 465, user: 'books' }
  const password = 'of this server'
  for (const other of [{ host: 'smtp.two.example' }, { port: 587 }, { user: 'other' }, { host: '' }]) {
    const { revision } = (await (await admin.call('GET', '/api/admin/settings/mail')).json()) as SettingsGroup
    await save(admin, { revision, values: { ...server, password } }, 'mail')
    const renamed = { revision: revision + 1, values: { from_name: String(revision) } }
    expect(await save(admin, renamed, 'mail')).toEqual({ status: 200 })
    expect(settings.get().mail.password).toBe(password)
    expect(await save(admin, { revision: revision + 2, values: other }, 'mail')).toEqual({ status: 200 })
    expect(settings.get().mail).toMatchObject(other)
    expect(settings.get().mail.password).toBeUndefined()
    expect((await shop.events()).at(-1)).toMatchObject({ detail: { password: 'removed' } })
  }
  const { rows } = await shop.services.database.pool.query('select from auth.setting_secrets')
  expect(rows).toEqual([])
  const { revision } = (await (await admin.call('GET', '/api/admin/settings/mail')).json()) as SettingsGroup
  // The same one, entered again.
  await save(admin, { revision, values: { ...server, password } }, 'mail')
  const moved = { revision: revision + 1, values: { host: 'smtp.two.example', password } }
  expect(await save(admin, moved, 'mail')).toEqual({ status: 200 })
  expect(settings.get().mail.password).toBe(password)
})

test('a secret that was sealed with an AUTH_SECRET that is gone has to be entered again, and nothing else breaks', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  await save(admin, { revision: 0, values: { password: 'of the mail server' } }, 'mail')
  await shop.services.database.pool.query(`update auth.setting_secrets set sealed = '\\x00'`)
  await expect.poll(() => shop.services.settings.get().mail.password).toBeUndefined()
  const group = (await (await admin.call('GET', '/api/admin/settings/mail')).json()) as SettingsGroup
  expect(group.secrets['password']).toMatchObject({ is_readable: false, ends_in: null })
  const again = { revision: group.revision, values: { password: 'of the mail server' } }
  expect(await save(admin, again, 'mail')).toEqual({ status: 200 })
  expect(shop.services.settings.get().mail.password).toBe('of the mail server')
})
