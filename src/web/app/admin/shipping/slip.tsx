// A packing slip: the paper in a parcel, in the language of the book.
import type { BookDocument } from '#contract/book/book.ts'
import type { AdminShipment } from '#contract/orders/admin-orders.ts'
import { nameWithoutFormat } from '#contract/catalog/product-name.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines } from '#contract/orders/postal.ts'
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import { slipTexts } from '#words/slip.ts'
import { fill } from '#words/texts.ts'
import { formatCalendarDay, formatDate } from '../../../format/format.tsx'
import { TestBadge } from '../../../purchase/status-badge.tsx'
import { useBook } from '../../../shop.ts'
import { BookWords } from '../book-words.tsx'
import { Fact } from '../cells.tsx'

type SlipProps = {
  parcel: Pick<
    AdminShipment,
    | 'number'
    | 'is_test'
    | 'address'
    | 'display_name'
    | 'email'
    | 'created_at'
    | 'release_on'
    | 'product_name'
    | 'format'
    | 'contents'
  >
  texts: BookDocument['packing_slip']
}

export function Slip({ parcel, texts }: SlipProps) {
  const { number, address, display_name, email } = parcel
  return (
    <article
      aria-label={`Packing slip for ${address?.name ?? display_name ?? email}, order ${formatOrderNumber(number)}`}
      className="sheet mx-auto flex w-full max-w-[44rem] flex-col rounded-md border border-line bg-surface p-6 text-ink scheme-light sm:min-h-[56rem] sm:p-14"
    >
      <BookWords>
        <SlipText parcel={parcel} texts={texts} />
      </BookWords>
    </article>
  )
}

function SlipText({ parcel, texts }: SlipProps) {
  const { title, author } = useBook()
  return (
    <>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b-2 border-gold pb-4">
        <p className="font-display text-xl">{title}</p>
        <h2 className="text-sm font-semibold tracking-wide text-gold-text uppercase">{slipTexts.title}</h2>
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
    </>
  )
}

type ParcelProps = Pick<SlipProps, 'parcel'>

/** The telephone is left out: it is for the carrier. */
function Recipient({ parcel: { address, display_name, email } }: ParcelProps) {
  const { returns_to } = useBook().legal
  const [name, ...lines] = address ? addressLines(address) : [display_name ?? email]
  return (
    <div className="min-w-0">
      {returns_to && (
        <p className="mb-3 text-sm text-pretty break-words text-soft">
          {fill(slipTexts.sender, { address: returns_to })}
        </p>
      )}
      <address className="text-lg leading-relaxed not-italic">
        <span className="block font-semibold break-words">{name}</span>
        {address ? (
          <span className="block break-words whitespace-pre-line">{lines.join('\n')}</span>
        ) : (
          <span lang="en" className="block text-danger">
            No address yet
          </span>
        )}
      </address>
    </div>
  )
}

function Facts({ parcel }: ParcelProps) {
  const { number, created_at, release_on } = parcel
  return (
    <div className="grid content-start gap-3 text-sm">
      <dl className="grid gap-3 [&_dt]:text-soft">
        <Fact name={slipTexts.order} className="text-lg font-semibold tabular-nums">
          <span className="flex flex-wrap items-center gap-2">
            {formatOrderNumber(number)}
            <TestBadge order={parcel} />
          </span>
        </Fact>
        <Fact name={slipTexts.bought} className="tabular-nums">
          {formatDate(created_at)}
        </Fact>
      </dl>
      {release_on && <p>{fill(cardsTexts.outOn, { date: formatCalendarDay(release_on) })}</p>}
    </div>
  )
}

function PickList({ parcel: { product_name, format, contents } }: ParcelProps) {
  const toPack = contents.filter((part) => part.format !== 'digital')
  const byDownload = contents.filter((part) => part.format === 'digital').map(({ name }) => name)
  return (
    <div className="mt-12">
      {format === 'bundle' && <p className="mb-3 font-semibold">{product_name}</p>}
      <table aria-label={slipTexts.toPack} className="w-full text-start">
        <thead className="text-sm text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="w-20 py-2 text-start font-semibold">
              {slipTexts.quantity}
            </th>
            <th scope="col" className="py-2 text-start font-semibold">
              {slipTexts.book}
            </th>
            <th scope="col" className="py-2 text-end font-semibold">
              {slipTexts.format}
            </th>
          </tr>
        </thead>
        <tbody>
          {toPack.map((part) => (
            <tr key={part.product_id} className="break-inside-avoid border-b border-line align-top">
              <td className="flex items-center gap-3 py-3 tabular-nums">
                <span aria-hidden className="size-5 rounded-sm border-2 border-ink" />1
              </td>
              <td className="py-3 pe-4 font-semibold break-words">{nameWithoutFormat(part)}</td>
              <td className="py-3 text-end">{formatsTexts.names[part.format]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {byDownload.length > 0 && (
        <p className="mt-4 text-sm text-soft">
          {fill(slipTexts.byDownload, { products: byDownload.join(', ') })}
        </p>
      )}
    </div>
  )
}
