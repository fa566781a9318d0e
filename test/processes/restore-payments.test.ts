// A restore from a backup that is older than a payment, by the built commands.
import { createHash } from 'node:crypto'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStripe } from '@lectern/stripe-stand-in'
import { beforeAll, expect, test } from 'vitest'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { openDatabase } from '#platform/db/client.ts'
import { ensureBuilt } from '#tools/build.ts'
import { createTestDatabase } from '../database.ts'
import { findFreePort } from '../find-free-port.ts'
import { sessionOf } from '../paying.ts'
import { startShop } from '../running-shop.ts'
import { startProcess } from '../start-process.ts'
import { gatherCrowd } from '../torture/crowd.ts'

beforeAll(() => ensureBuilt())

const hashOf = (id: string) => createHash('sha256').update(id).digest('hex')

test('a restore makes the purchases again that were paid since the backup, and erases again what was erased', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-restored-'))
  await using place = await createTestDatabase({ empty: true })
  await using stripe = await startStripe()
  const port = await findFreePort()
  const SITE_URL = `http://127.0.0.1:${port}`
  const env = { ...stripe.env, DATABASE_URL: place.url, STRIPE_RECONCILE_SECONDS: '3600' }
  const lectern = (...args: string[]) =>
    startProcess(process.execPath, ['dist/server/lectern.js', ...args], {
      env: { ...env, SITE_URL, DATA_DIR: folder.path },
    }).ended
  const shop = await startShop(folder.path, { env, port })
  const [here, elsewhere] = (await gatherCrowd(shop.url, 2)).people
  expect(await lectern('backup')).toMatchObject({ code: 0 })
  const crowd = await gatherCrowd(shop.url, 1)
  const [buyer] = crowd.people
  const [product] = (await crowd.ask<{ id: string }[]>(buyer!, '/api/products')).body
  const { body: made } = await crowd.ask<PurchaseMade>(buyer!, '/api/purchases', { product_id: product!.id })
  stripe.pay(sessionOf(stripe, made.id).id)
  expect(await shop.stop()).toBe(0)
  stripe.events.length = 0
  const erased = join(folder.path, 'backups', 'erased')
  await mkdir(erased)
  await writeFile(join(folder.path, 'erased-ids.txt'), `${hashOf(here!.user_id)}\ncut o`)
  await writeFile(join(erased, 'of-a-place.txt'), `${hashOf(elsewhere!.user_id)}\n`)

  const restored = await lectern('restore', join(folder.path, 'backups'), '--yes')
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('made again: 1.') })
  await using database = openDatabase(place.url, { max: 1 })
  const { rows } = await database.pool.query('select id, number, status from purchases')
  expect(rows).toEqual([{ id: made.id, number: made.number, status: 'completed' }])
  const ids = [here!.user_id, elsewhere!.user_id]
  const left = await database.pool.query('select from profiles where user_id = any($1)', [ids])
  expect(left.rows).toEqual([])
})

test('a restore without the secret of the backup says what to do before the start', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-restored-'))
  await using place = await createTestDatabase({ empty: true })
  const lectern = (AUTH_SECRET: string, ...args: string[]) =>
    startProcess(process.execPath, ['dist/server/lectern.js', ...args], {
      env: { SITE_URL: 'http://127.0.0.1:1', DATABASE_URL: place.url, DATA_DIR: folder.path, AUTH_SECRET },
    }).ended
  expect(await lectern('the secret of the lost machine, of old', 'backup')).toMatchObject({ code: 0 })
  const restored = await lectern(
    'another secret, of the new machine',
    'restore',
    join(folder.path, 'backups'),
    '--yes',
  )
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/secret .* is not here.*new-secret/),
  })
})
