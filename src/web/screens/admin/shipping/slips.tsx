// Packing slips: one a sheet, on screen as on paper.
import { ArrowLeft, Printer } from 'lucide-react'
import { useEffect } from 'react'
import { book } from '#content/book.ts'
import { formatWords } from '#content/home.ts'
import { slip } from '#content/shipping.ts'
import type { DeskShipment } from '#contract/desk-shipments.ts'
import { formatOrderNumber } from '#contract/order-number.ts'
import { addressLines } from '#contract/postal.ts'
import { answerOf } from '../../../api.ts'
import { notices } from '../../../copy.ts'
import { formatDate } from '../../../format.ts'
import { formatFormats } from '../../../formats.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Failed, Note } from '../../../ui/note.tsx'
import { load } from '../load.ts'
import type { Route } from './+types/slips.ts'
import { api } from './deeds.ts'

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const ids = new URL(request.url).searchParams.get('ids')
  if (!ids) return []
  return load(notices.shipmentsFailed, () => answerOf(api.shipments.slips.$get({ query: { ids } })))
}

export default function Slips({ loaderData: parcels }: Route.ComponentProps) {
  usePaper()
  return (
    <div className="grid gap-6 print:block">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <ButtonLink to="/admin/shipping" look="quiet" className="-ml-3 px-3!">
          <ArrowLeft aria-hidden className="size-4.5" />
          To ship
        </ButtonLink>
        {parcels && parcels.length > 0 && (
          <Button onClick={() => print()}>
            <Printer aria-hidden className="size-4.5" />
            Print {parcels.length === 1 ? '1 slip' : `${parcels.length} slips`}
          </Button>
        )}
      </div>
      {!parcels && (
        <Card title="Packing slips">
          <Failed title="The slips could not be loaded" />
        </Card>
      )}
      {parcels?.length === 0 && (
        <Card title="Packing slips">
          <Note icon={Printer} title="Nothing to print">
            Choose some parcels in the list first.
          </Note>
        </Card>
      )}
      {parcels?.map((parcel) => (
        <Slip key={parcel.purchase_id} parcel={parcel} />
      ))}
    </div>
  )
}

/** While slips are shown, what is around them is not printed. */
function usePaper() {
  useEffect(() => {
    document.documentElement.setAttribute('data-paper', '')
    return () => document.documentElement.removeAttribute('data-paper')
  }, [])
}

function Slip({ parcel }: { parcel: DeskShipment }) {
  const { number, address, product_name, format, holds, created_at, display_name, email } = parcel
  return (
    <article
      aria-label={`Packing slip for ${address?.name ?? display_name ?? email}`}
      className="sheet mx-auto flex w-full max-w-[44rem] flex-col rounded-md border border-line bg-surface p-6 text-ink scheme-light sm:min-h-[56rem] sm:p-14"
    >
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b-2 border-gold pb-4">
        <p className="font-display text-xl">{book.title}</p>
        <h2 className="text-sm font-semibold tracking-wide text-gold-text uppercase">Packing slip</h2>
      </header>
      <div className="mt-10 grid gap-8 sm:grid-cols-[1fr_auto] print:grid-cols-[1fr_auto]">
        <address className="text-lg leading-relaxed not-italic">
          {address ? (
            <>
              <span className="block font-semibold break-words">{address.name}</span>
              <span className="block break-words whitespace-pre-line">
                {addressLines(address).slice(1).join('\n')}
              </span>
            </>
          ) : (
            <>
              <span className="block font-semibold">{display_name ?? email}</span>
              <span className="block text-danger">No address yet</span>
            </>
          )}
        </address>
        <dl className="grid content-start gap-3 text-sm [&_dt]:text-soft">
          <div>
            <dt>Order</dt>
            <dd className="text-lg font-semibold tabular-nums">{formatOrderNumber(number)}</dd>
          </div>
          <div>
            <dt>Bought</dt>
            <dd className="tabular-nums">{formatDate(created_at)}</dd>
          </div>
          {address?.phone && (
            <div>
              <dt>Telephone</dt>
              <dd className="tabular-nums">{address.phone}</dd>
            </div>
          )}
        </dl>
      </div>
      <table className="mt-12 w-full text-left">
        <thead className="text-sm text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="w-16 py-2 font-semibold">
              Qty
            </th>
            <th scope="col" className="py-2 font-semibold">
              Book
            </th>
            <th scope="col" className="py-2 text-right font-semibold">
              Format
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-b border-line align-top">
            <td className="py-3 tabular-nums">1</td>
            <td className="py-3 pr-4 font-semibold">{product_name}</td>
            <td className="py-3 text-right">{inside({ format, holds })}</td>
          </tr>
        </tbody>
      </table>
      <footer className="mt-auto pt-16 text-center">
        <p className="mx-auto max-w-md font-display text-xl text-balance">{slip.thanks}</p>
        <p className="mt-5 text-sm text-soft">
          {slip.questions}
          {book.author.email && ` ${book.author.email}`}
        </p>
      </footer>
    </article>
  )
}

/** A bundle is not all paper: what is in it is said. */
function inside({ format, holds }: Pick<DeskShipment, 'format' | 'holds'>) {
  const { name } = formatWords[format]
  if (holds.length === 0) return name
  return (
    <>
      {name}
      <span className="block text-sm text-soft">{formatFormats(holds)}</span>
    </>
  )
}
