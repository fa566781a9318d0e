import { useState } from 'react'
import {
  maxListedGifts,
  type Gift,
  type GiftCheck,
  type GiftRequest,
  type GiftsSent,
} from '#contract/delivery/gifts.ts'
import type { GiftsApi } from '#domains/delivery/grants.routes.ts'
import type { AdminDiscountsApi } from '#domains/orders/discounts.routes.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { useRevalidator } from 'react-router'
import { NameLink, TextLink } from '../text-link.tsx'
import { responseOf } from '../../../api.ts'
import { formatMoment } from '../../../format.ts'
import { useLastLoaded } from '../../../use-last-loaded.ts'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { Gift as GiftIcon } from '../../../components/icons.tsx'
import { Note } from '../../../components/note.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { adminClient, load } from '../admin-client.ts'
import type { Route } from './+types/gifts.ts'
import { CheckedGifts } from './checked-gifts.tsx'
import { GiftForm } from './gift-form.tsx'
import { isMailed, SentGifts } from './sent-gifts.tsx'
import { readableAddress } from '../readable-address.ts'

const api = adminClient<GiftsApi>()
const productsApi = adminClient<AdminProductsApi>()
const discountsApi = adminClient<AdminDiscountsApi>()

export function clientLoader() {
  return load('Failed to fetch the free copies', async () => {
    const [gifts, products, discounts] = await Promise.all([
      responseOf(api.gifts.$get()),
      responseOf(productsApi.products.$get()),
      responseOf(discountsApi.discounts.$get()),
    ])
    return { gifts, products, codes: discounts.filter(({ state }) => state === 'active') }
  })
}

type Checked = { request: GiftRequest; check: GiftCheck }

export default function Gifts({ loaderData }: Route.ComponentProps) {
  const found = useLastLoaded(loaderData)
  const { revalidate } = useRevalidator()
  const [checked, setChecked] = useState<Checked>()
  const [sent, setSent] = useState<GiftsSent>()
  /** Counts the lists that were sent: each begins with an empty form. */
  const [round, setRound] = useState(0)
  if (!found) return <LoadFailed card="Free copies" title="The free copies could not be loaded" />
  const { gifts, products, codes } = found
  return (
    <div className="grid gap-6">
      <div hidden={checked !== undefined || sent !== undefined}>
        <GiftForm key={round} products={products} codes={codes} onChecked={setChecked} />
      </div>
      {checked && (
        <CheckedGifts
          {...checked}
          onBack={() => setChecked(undefined)}
          onSent={(result) => {
            setChecked(undefined)
            setSent(result)
            if (isComplete(result)) setRound(round + 1)
            void revalidate()
          }}
        />
      )}
      {sent && (
        <SentGifts
          sent={sent}
          onBack={isComplete(sent) ? undefined : () => setSent(undefined)}
          onDone={() => {
            setSent(undefined)
            setRound(round + 1)
          }}
        />
      )}
      <GivenList gifts={gifts} />
    </div>
  )
}

function isComplete({ recipients, bad_rows }: GiftsSent): boolean {
  return bad_rows.length === 0 && recipients.every(({ outcome }) => isMailed(outcome))
}

function GivenList({ gifts }: { gifts: readonly Gift[] }) {
  return (
    <Card title="Given so far">
      {gifts.length === 0 && (
        <Note icon={GiftIcon} title="Nothing given yet">
          Copies for reviewers, early readers and friends appear here.
        </Note>
      )}
      <ul className="divide-y divide-line">
        {gifts.map(({ id, email, present, kind, purchase_id, created_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-sm">
            <span className="min-w-0 grow basis-52 font-semibold wrap-anywhere">
              {purchase_id ? (
                <NameLink to={`/admin/purchases/${purchase_id}`}>{readableAddress(email)}</NameLink>
              ) : (
                readableAddress(email)
              )}
            </span>
            <span className="min-w-0 grow basis-52 wrap-anywhere text-soft">{present}</span>
            <Badge>{kind === 'copy' ? 'free copy' : 'code'}</Badge>
            <span className="text-soft tabular-nums">{formatMoment(created_at)}</span>
          </li>
        ))}
      </ul>
      {gifts.length === maxListedGifts && (
        <p className="border-t border-line px-5 py-3 text-sm text-soft">
          The newest {maxListedGifts} are shown. The <TextLink to="/admin/audit">log</TextLink> has all of
          them.
        </p>
      )}
    </Card>
  )
}
