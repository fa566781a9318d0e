// Names are found however they are typed: with or without accents, in large letters, in full width.
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'

test('users and orders are found by their buyers’ names without accents, and with them', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const names = [
    'José Núñez',
    'Jörg Müller',
    'Łukasz Żółć',
    'Zoë Brontë',
    'Straße Ægir',
    'Ｔａｎａｋａ',
    'Ольга Йорк',
  ]
  for (const display_name of names) {
    const person = await shop.person({ display_name })
    await person.buy((await shop.product('digital')).id)
  }
  const found = async (list: string, q: string) => {
    const response = await admin.call('GET', `/api/admin/${list}?q=${encodeURIComponent(q)}`)
    const { items } = (await response.json()) as { items: { display_name: string }[] }
    return items.map(({ display_name }) => display_name)
  }
  const searches = ['jose nunez', 'JORG', 'lukasz zolc', 'zoe bronte', 'strasse aegir', 'tanaka', 'ОЛЬГА']
  for (const list of ['users', 'purchases'])
    for (const [nth, q] of searches.entries()) {
      expect([q, await found(list, q)]).toEqual([q, [names[nth]]])
      expect([q, await found(list, names[nth]!)]).toEqual([q, [names[nth]]])
    }
  expect(await found('users', '100%_\\')).toEqual([])
})
