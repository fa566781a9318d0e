// A place elsewhere that refuses to overwrite.
import { expect, test } from 'vitest'
import { findObjects, flipByte, identity, openShopWithCopy, publicKey, stateOf } from '#test/backup-copy.ts'
import { openFaultyBucket } from '#test/faulty-bucket.ts'
import { prepareStores } from '#test/stores.ts'

const stores = prepareStores()

test('a place that refuses to overwrite retains its unchecked objects, and still gets its backups', async () => {
  await using bucket = await openFaultyBucket(stores.open('bucket'))
  await using shop = await openShopWithCopy(bucket.url, { BACKUP_PUBLIC_KEY: publicKey })
  await shop.backUp()
  const { file } = await findObjects(bucket.url, { identity })
  await shop.services.database.pool.query('delete from backup_objects where path = $1', [file])
  bucket.proxy.fail('PUT', { status: 403, code: 'AccessDenied' })
  expect((await shop.backUp()).problems).toEqual([])
  expect(await shop.rehearse()).toMatchObject({ unchecked: 1, problems: [] })
})

test('a place that refuses to overwrite is named, with what to do, and gets the rest', async () => {
  await using bucket = await openFaultyBucket(stores.open('bucket'))
  await using shop = await openShopWithCopy(bucket.url)
  await shop.backUp()
  const { file } = await findObjects(bucket.url, {})
  await flipByte(bucket.direct, file)
  await shop.rehearse()
  bucket.proxy.fail('PUT', { status: 403, code: 'AccessDenied' })
  const { problems } = await shop.backUp()
  expect(problems).toEqual([
    expect.stringMatching(
      new RegExp(
        `^The backup in .+ is not whole: the \\w+ “.+” .* cannot be written: The place refuses to overwrite ${file}, .*set BACKUP_URL to`,
      ),
    ),
  ])
  const state = await stateOf(shop, shop.label, 'backup')
  expect(state).toMatchObject({ failing_since: expect.any(Date), problem: problems[0] })
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})
