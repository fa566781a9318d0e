// The orders that a message may mean whose writer has none under the own address, each with the reasons why. They prove
// nothing: everybody can write any name and address.
import { z } from 'zod'
import { and, desc, inArray, notInArray, sql, type SQL } from 'drizzle-orm'
import type { CommerceShop } from '#domains/book/shop.ts'
import { selectOrders, toOrder } from '#domains/orders/purchases.ts'
import { isAddressedTo } from '#domains/orders/shipments.ts'
import type { PossibleOrder } from '#contract/readers/messages.ts'
import { profiles } from '#tables/accounts.ts'
import { purchases, shipments } from '#tables/orders.ts'
import { dayIn, isOnDay } from '#platform/db/query.ts'

type Writing = { name: string; email: string; subject: string; message: string; created_at: Date }

const maxShown = 5
const maxCandidates = 50
const maxCompared = 1000
const maxSimilar = 20

/** Those with the most reasons first, then the newest. */
export async function listPossibleOrders(
  { db, settings }: CommerceShop,
  writing: Writing,
): Promise<PossibleOrder[]> {
  const { time_zone } = settings.get().shop
  const addresses = addressesIn(writing)
  const numbers = numbersIn(writing)
  const day = dayOf(writing)
  const [mailbox = ''] = writing.email.split('@')
  const [similar, named, others] = await Promise.all([
    findUsers(mailbox, sql`${mailbox} <% p.email`),
    findUsers(writing.name, sql`lower(p.display_name) = lower(${writing.name.trim()})`),
    db.select({ user_id: profiles.user_id }).from(profiles).where(inArray(profiles.email, addresses)),
  ])
  const users = [...similar, ...named, ...others.map(({ user_id }) => user_id)]
  // Each by an index of its own.
  const ways = [
    inArray(purchases.user_id, users),
    inArray(purchases.number, numbers),
    isSentTo(writing.name.trim()),
    day === undefined ? undefined : isOnDay(purchases.created_at, day, time_zone),
  ].filter((way) => way !== undefined)
  const candidates = (await Promise.all(ways.map((way) => select(way)))).flat()
  const orders = new Map(candidates.map((row) => [row.id, row]))
  const parcels = await db
    .select({ id: shipments.purchase_id, name: shipments.name })
    .from(shipments)
    .where(inArray(shipments.purchase_id, [...orders.keys()]))
  return [...orders.values()]
    .map((row) => Object.assign(toOrder(row), { reasons: reasonsOf(row) }))
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((a, b) => b.reasons.length - a.reasons.length || b.number - a.number)
    .slice(0, maxShown)

  function select(which: SQL) {
    return selectOrders(db)
      .where(and(which, notInArray(purchases.status, ['canceled', 'pending'])))
      .orderBy(desc(purchases.created_at), desc(purchases.id))
      .limit(maxCandidates)
  }

  /** `words` by trigrams, which an index has of all addresses and names together; `is` says in which they are meant. */
  async function findUsers(words: string, is: SQL): Promise<string[]> {
    const known = sql`(p.email || ' ' || coalesce(p.display_name, ''))`
    const { rows } = await db.execute<{ user_id: string }>(sql`
      select user_id from (
        select p.user_id, word_similarity(${words}, ${known}) as likeness from profiles p
        where ${words} <% ${known} and ${is} and p.email <> '' limit ${maxCompared}) compared
      order by likeness desc limit ${maxSimilar}`)
    return rows.map(({ user_id }) => user_id)
  }

  function reasonsOf(row: (typeof candidates)[number]): PossibleOrder['reasons'] {
    const names = [row.display_name, ...parcels.filter(({ id }) => id === row.id).map(({ name }) => name)]
    const isSimilar = row.user_id !== null && similar.includes(row.user_id)
    return [
      ...(numbers.includes(row.number) ? (['order_number'] as const) : []),
      ...(addresses.includes(row.email?.toLowerCase() ?? '') ? (['other_address'] as const) : []),
      ...(names.some((name) => plain(name) === plain(writing.name)) ? (['same_name'] as const) : []),
      ...(day !== undefined && dayIn(time_zone, row.created_at) === day ? (['same_day'] as const) : []),
      ...(isSimilar ? (['similar_address'] as const) : []),
    ]
  }
}

function isSentTo(name: string): SQL | undefined {
  const parcel = isAddressedTo(name)
  return (
    parcel &&
    sql`${purchases.id} in (select s.purchase_id from shipments s where ${parcel} limit ${maxCandidates})`
  )
}

const plain = (name: string | null) => name?.trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** Returns the addresses that the message names besides the writer's. */
function addressesIn({ email, message }: Writing): string[] {
  const all = message.toLowerCase().match(/[^\s@<>,;:()"]{1,64}@[^\s@<>,;:()"]{1,250}\.[a-z]{2,24}/g) ?? []
  return all.filter((address) => address !== email.toLowerCase()).slice(0, maxShown)
}

const afterSign = /#\s?(\d{1,9})\b/g
const afterWord = /\border(?:\s+(?:is|was|number|no\.?|id))*[\s:]*(\d{3,9})\b/gi

/** "#1042", or "my order is 1042". */
function numbersIn({ subject, message }: Writing): number[] {
  const text = `${subject}\n${message}`
  const all = [afterSign, afterWord].flatMap((form) => Array.from(text.matchAll(form)))
  return all.map(([, digits]) => Number(digits)).slice(0, maxShown)
}

const months = [
  'jan(?:uary)?',
  'feb(?:ruary)?',
  'mar(?:ch)?',
  'apr(?:il)?',
  'may',
  'june?',
  'july?',
  'aug(?:ust)?',
  'sep(?:t(?:ember)?)?',
  'oct(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?',
]
const month = `(?<month>${months.join('|')})\\b\\.?`
const dayOfMonth = String.raw`\b(?<day>\d\d?)(?:st|nd|rd|th)?\b`
const itsYear = String.raw`(?:,?\s+(?<year>20\d\d)\b)?`

/** 2026-11-03, 3.11.2026, 3 Nov 2026, or November 3 without a year. */
const days = [
  /\b(?<year>20\d\d)-(?<month>\d\d?)-(?<day>\d\d?)\b/,
  /\b(?<day>\d\d?)\.\s?(?<month>\d\d?)\.\s?(?<year>20\d\d)\b/,
  new RegExp(String.raw`${dayOfMonth}\s+${month}${itsYear}`, 'i'),
  new RegExp(String.raw`\b${month}\s+${dayOfMonth}${itsYear}`, 'i'),
]

/** The first day that the message names. Without a year it is the last such day before the message. */
function dayOf({ message, created_at }: Writing): string | undefined {
  const { year, month, day } = days.map((form) => form.exec(message)).find(Boolean)?.groups ?? {}
  if (!month || !day) return undefined
  const named = months.findIndex((name) => new RegExp(`^${name}$`, 'i').test(month))
  const at = named === -1 ? month : String(named + 1)
  if (year) return asDay(year, at, day)
  const thisYear = created_at.getUTCFullYear()
  const guess = asDay(String(thisYear), at, day)
  const isAhead = guess !== undefined && guess > created_at.toISOString().slice(0, 10)
  return isAhead ? asDay(String(thisYear - 1), at, day) : guess
}

function asDay(year: string, month: string, day: string): string | undefined {
  const date = z.iso.date().safeParse(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
  return date.data
}
