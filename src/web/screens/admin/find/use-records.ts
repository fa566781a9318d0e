import { useEffect, useState } from 'react'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import type { OrdersApi } from '#domains/payments/orders.routes.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'
import type { Place } from './places.ts'

const users = adminClient<UsersApi>()
const orders = adminClient<OrdersApi>()
const products = adminClient<AdminProductsApi>()

const pauseMs = 200
const minLength = 2
const maxOfKind = 5

type Records = { query: string; found: Place[]; isFailed: boolean }

/** Readers, orders and products that the server finds, a moment after the last letter. */
export function useRecords(typed: string): Records & { isSearching: boolean } {
  const query = typed.trim()
  const isAsked = query.length >= minLength
  const [records, setRecords] = useState<Records>({ query: '', found: [], isFailed: false })
  useEffect(() => {
    if (!isAsked) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      const show = (found: Place[], isFailed = false) => {
        if (isCurrent) setRecords({ query, found, isFailed })
      }
      findRecords(query).then(show, () => show([], true))
    }, pauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query, isAsked])
  if (!isAsked) return { query, found: [], isFailed: false, isSearching: false }
  return { ...records, isSearching: records.query !== query }
}

async function findRecords(q: string): Promise<Place[]> {
  const [people, bought, sold] = await Promise.all([
    responseOf(users.users.$get({ query: { q } })),
    responseOf(orders.purchases.$get({ query: { q } })),
    responseOf(products.products.$get()),
  ])
  const named = sold.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  return [
    ...people.items.slice(0, maxOfKind).map(({ user_id, display_name, email }) => {
      return {
        to: `/admin/users/${user_id}`,
        title: display_name || email,
        hint: display_name ? email : 'Reader',
      }
    }),
    ...bought.items.slice(0, maxOfKind).map(({ id, number, product, display_name, email }) => ({
      to: `/admin/purchases/${id}`,
      title: `${formatOrderNumber(number)} ${product.name}`,
      hint: display_name || email,
    })),
    ...named.slice(0, maxOfKind).map(({ id, name, format }) => {
      return { to: `/admin/products/${id}`, title: name, hint: `Product, ${format}` }
    }),
  ]
}
