// The screen that prints packing slips.
import type { BookDocument } from '#contract/book/book.ts'
import { formatsTexts } from '#words/buying.ts'
import type { AdminShipment } from '#contract/orders/admin-orders.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines } from '#contract/orders/postal.ts'
import { useBook } from '../../../shop.ts'
import { Fact } from '../cells.tsx'
import { formatCalendarDay, formatDate } from '../../../format/format.tsx'
import { ArrowLeft, Printer } from '../../../components/further-icons.tsx'
import { useEffect } from 'react'
import { responseOf } from '../../../api.ts'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { Note } from '../../../components/note.tsx'
import type { ShipmentsApi } from '#domains/orders/shipments.routes.ts'
import { adminClient, load } from '../calls.tsx'
import { readDraft } from '../book/draft.ts'
import type { Route } from './+types/slips.ts'

type SlipProps = { parcel: AdminShipment }

function Slip({ parcel, texts }: SlipProps & { texts: BookDocument['packing_slip'] }) {
  const { title, author } = useBook()
  const { number, address, display_name, email } = parcel
  return (
    <article
      aria-label={`Packing slip for ${address?.name ?? display_name ?? email}, order ${formatOrderNumber(number)}`}
      className="sheet mx-auto flex w-full max-w-[44rem] flex-col rounded-md border border-line bg-surface p-6 text-ink scheme-light sm:min-h-[56rem] sm:p-14"
    >
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b-2 border-gold pb-4">
        <p className="font-display text-xl">{title}</p>
        <h2 className="text-sm font-semibold tracking-wide text-gold-text uppercase">Packing slip</h2>
      </header>
      <div className="mt-10 grid gap-8 sm:grid-cols-[1fr_auto] print:grid-cols-[1fr_auto]">
        <Recipient parcel={parcel} />
        <Facts parcel={parcel} />
      </div>
      <PickList parcel={parcel} />
      <footer className="mt-auto pt-16 text-center">
        <p className="mx-auto max-w-md font-display text-xl text-balance">{texts.thanks}</p>
        <p className="mt-5 text-sm text-soft">
          {texts.questions}
          {author.email && <span>{` ${author.email}`}</span>}
        </p>
      </footer>
    </article>
  )
}

function Recipient({ parcel: { address, display_name, email } }: SlipProps) {
  const [name, ...lines] = address ? addressLines(address) : [display_name ?? email]
  return (
    <address className="min-w-0 text-lg leading-relaxed not-italic">
      <span className="block font-semibold break-words">{name}</span>
      {address ? (
        <span className="block break-words whitespace-pre-line">{lines.join('\n')}</span>
      ) : (
        <span className="block text-danger">No address yet</span>
      )}
    </address>
  )
}

function Facts({ parcel: { number, created_at, release_on, address } }: SlipProps) {
  return (
    <dl className="grid content-start gap-3 text-sm [&_dt]:text-soft">
      <Fact name="Order" className="text-lg font-semibold tabular-nums">
        {formatOrderNumber(number)}
      </Fact>
      <Fact name="Bought" className="tabular-nums">
        {formatDate(created_at)}
      </Fact>
      {release_on && (
        <Fact name="Pre-order, out on" className="tabular-nums">
          {formatCalendarDay(release_on)}
        </Fact>
      )}
      {address?.phone && (
        <Fact name="Telephone" className="tabular-nums">
          {address.phone}
        </Fact>
      )}
    </dl>
  )
}

function PickList({ parcel: { product_name, format, contents } }: SlipProps) {
  const toPack = contents.filter((part) => part.format !== 'digital')
  const byDownload = contents.filter((part) => part.format === 'digital').map(({ name }) => name)
  return (
    <div className="mt-12">
      {format === 'bundle' && <p className="mb-3 font-semibold">{product_name}</p>}
      <table aria-label="To pack" className="w-full text-left">
        <thead className="text-sm text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="w-20 py-2 font-semibold">
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
          {toPack.map((part) => (
            <tr key={part.product_id} className="break-inside-avoid border-b border-line align-top">
              <td className="flex items-center gap-3 py-3 tabular-nums">
                <span aria-hidden className="size-5 rounded-sm border-2 border-ink" />1
              </td>
              <td className="py-3 pr-4 font-semibold break-words">{part.name}</td>
              <td className="py-3 text-right">{formatsTexts.names[part.format]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {byDownload.length > 0 && (
        <p className="mt-4 text-sm text-soft">Sent by download, nothing to pack: {byDownload.join(', ')}.</p>
      )}
    </div>
  )
}

const api = adminClient<ShipmentsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const ids = new URL(request.url).searchParams.get('ids')
  if (!ids) return { parcels: [], texts: { thanks: '', questions: '' } }
  return load('Failed to fetch shipments', async () => {
    const [parcels, { published }] = await Promise.all([
      responseOf(api.shipments.slips.$get({ query: { ids } })),
      readDraft(),
    ])
    return { parcels, texts: published.packing_slip }
  })
}

export default function Slips({ loaderData }: Route.ComponentProps) {
  const { parcels, texts } = loaderData ?? {}
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
      {!parcels && <LoadFailed card="Packing slips" title="The slips could not be loaded" />}
      {parcels?.length === 0 && (
        <Card title="Packing slips">
          <Note icon={Printer} title="Nothing to print">
            Choose some parcels in the list first.
          </Note>
        </Card>
      )}
      {texts && parcels?.map((parcel) => <Slip key={parcel.purchase_id} parcel={parcel} texts={texts} />)}
    </div>
  )
}

/** Keeps what is around the slips out of print while they are shown. */
function usePaper() {
  useEffect(() => {
    document.documentElement.setAttribute('data-paper', '')
    return () => document.documentElement.removeAttribute('data-paper')
  }, [])
}
