// A receipt as a paper, to be printed. Its days are the shop's, as in its email, wherever it is read.
import { receiptTexts } from '#words/dashboard.ts'
import { siteTexts } from '#words/site.ts'
import { fill } from '#words/texts.ts'
import type { ReactNode } from 'react'
import { Link, Button, ButtonLink } from '../components/button.tsx'
import { formatsTexts } from '#words/buying.ts'
import { formatDay, formatDayIn } from '#contract/intl.ts'
import { namesFormat } from '#contract/catalog/product-name.ts'
import type { GuestReceipt } from '#contract/orders/receipts.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines, shippingLabel } from '#contract/orders/postal.ts'
import { comingWords } from '#contract/orders/release-words.ts'
import { refundConditions } from '#contract/orders/prices.ts'
import { fillParts } from '../format/fill-parts.tsx'
import { formatMoney, Time } from '../format/format.tsx'
import { useBook } from '../shop.ts'
import { Container } from '../components/section.tsx'
import { Bar, Failed } from './card.tsx'
import { Printer } from '../components/further-icons.tsx'

type Place = { to: string; label: string }

type FrameProps = { back: Place; isBusy?: boolean; canPrint?: boolean; children: ReactNode }

function ReceiptFrame({ back, isBusy = false, canPrint = false, children }: FrameProps) {
  return (
    <main aria-busy={isBusy || undefined}>
      <Container isText className="py-6 sm:py-10 print:max-w-none print:p-0">
        <p className="mb-4 flex flex-wrap items-center justify-between gap-2 print:hidden">
          <ButtonLink to={back.to} look="quiet" className="-ms-5 max-sm:-ms-3 max-sm:px-3">
            {back.label}
          </ButtonLink>
          {canPrint && (
            <Button look="outline" onClick={() => print()}>
              <Printer aria-hidden className="size-4.5" />
              {receiptTexts.print}
            </Button>
          )}
        </p>
        {children}
      </Container>
    </main>
  )
}

export function ReceiptLoading({ back }: { back: Place }) {
  return (
    <ReceiptFrame back={back} isBusy>
      <p className="sr-only" role="status">
        {receiptTexts.loading}
      </p>
      <Bar className="h-[36rem]" />
    </ReceiptFrame>
  )
}

type PaperProps = {
  receipt: GuestReceipt
  /** The place where the order can be given back. */
  orderPlace: string
}

type ScreenProps = Omit<PaperProps, 'receipt'> & {
  back: Place
  receipt: GuestReceipt | undefined
  refusal: string | undefined
  /** It stands in place of a receipt that is missing. */
  children?: ReactNode
}

export function ReceiptScreen({ back, receipt, orderPlace, refusal, children }: ScreenProps) {
  return (
    <ReceiptFrame back={back} canPrint={receipt !== undefined}>
      {receipt && <ReceiptPaper receipt={receipt} orderPlace={orderPlace} />}
      {!receipt && (
        <div className="rounded-lg border border-line bg-surface">
          {children}
          {refusal && <p className="px-6 py-14 text-center">{refusal}</p>}
          {!children && !refusal && <Failed title={receiptTexts.notLoaded} />}
        </div>
      )}
    </ReceiptFrame>
  )
}

export function receiptMeta(book: { title: string }) {
  return [{ title: fill(receiptTexts.page, { book: book.title }) }, { name: 'robots', content: 'noindex' }]
}

function ReceiptPaper({ receipt, orderPlace }: PaperProps) {
  const book = useBook()
  const {
    number,
    created_at,
    time_zone,
    buyer,
    shipping_address,
    invoice_url,
    is_test,
    consent,
    total,
    sold_by,
  } = receipt
  const { ships, product } = receipt
  const { release } = product
  return (
    <article className="rounded-lg border border-line bg-surface p-6 sm:p-10 print:rounded-none print:border-0 print:p-0">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-b border-line pb-6">
        <div>
          <p className="font-display text-lg leading-snug font-semibold text-gold-text">{book.title}</p>
          <h1 className="mt-1 font-display text-3xl font-semibold">{receiptTexts.receipt}</h1>
        </div>
        <p className="text-soft tabular-nums">
          <Time at={created_at} format={(at) => formatDayIn(at, time_zone)} />
        </p>
        <p className="w-full text-sm text-soft tabular-nums">
          {fill(receiptTexts.order, { number: formatOrderNumber(number) })}
        </p>
      </header>
      {is_test && (
        <p className="mt-6 rounded-md border border-gold/60 bg-gold/10 px-4 py-2 text-sm">
          {receiptTexts.testMode}
        </p>
      )}
      <dl className="mt-6 grid gap-x-8 gap-y-5 sm:grid-cols-2 [&_dt]:text-sm [&_dt]:text-soft">
        <div className={`min-w-0 ${buyer ? '' : 'print:hidden'}`}>
          <dt>{receiptTexts.boughtBy}</dt>
          <dd className="mt-0.5 break-words">
            {buyer?.display_name && <span className="block">{buyer.display_name}</span>}
            {buyer?.email ?? receiptTexts.namedByEmail}
          </dd>
        </div>
        <div className="min-w-0">
          <dt>{receiptTexts.soldBy}</dt>
          <dd className="mt-0.5">
            <SoldBy receipt={receipt} />
          </dd>
        </div>
        {shipping_address && (
          <div className="min-w-0">
            <dt>{receiptTexts.shipTo}</dt>
            <dd className="mt-0.5">
              <address className="break-words whitespace-pre-line not-italic">
                {addressLines(shipping_address).join('\n')}
              </address>
            </dd>
          </div>
        )}
      </dl>
      <Sums receipt={receipt} />
      {release && <p className="mt-3 text-sm text-pretty">{comingWords({ release, ships })}</p>}
      {total === 0 && <p className="mt-3 text-sm text-soft">{receiptTexts.noPayment}</p>}
      {sold_by === 'stripe' && <p className="mt-6 text-sm text-soft">{receiptTexts.invoiceByLink}</p>}
      {invoice_url && (
        <p className="mt-6">
          <a href={invoice_url} className="rounded-sm font-semibold underline underline-offset-4">
            {receiptTexts.invoice}
          </a>
        </p>
      )}
      {consent && (
        <p className="mt-8 text-sm text-pretty text-soft">
          {fill(receiptTexts.agreed, { date: formatDayIn(consent.given_at, time_zone), text: consent.text })}
        </p>
      )}
      <Help receipt={receipt} />
      {receipt.refund_right === 'law' && (
        <p className="mt-4 text-sm print:hidden">
          <Link to={orderPlace} className="rounded-sm underline underline-offset-4">
            {siteTexts.withdraw}
          </Link>
        </p>
      )}
    </article>
  )
}

function SoldBy({ receipt: { seller, sold_by } }: { receipt: GuestReceipt }) {
  const book = useBook()
  const { name, address, email } = seller
  const shop = fill(receiptTexts.shopOf, { book: book.title })
  if (sold_by === 'stripe') {
    return (
      <>
        {receiptTexts.link}
        <span className="block text-soft">{fill(receiptTexts.forShop, { book: book.title })}</span>
      </>
    )
  }
  if (!name) {
    return (
      <>
        {shop}
        <span className="block text-soft">{fill(receiptTexts.byAuthor, { author: book.author.name })}</span>
      </>
    )
  }
  return (
    <>
      <address className="wrap-anywhere whitespace-pre-line not-italic">
        {[name, address, email].filter(Boolean).join('\n')}
      </address>
      <span className="block text-soft">{shop}</span>
    </>
  )
}

export function Sums({ receipt }: { receipt: GuestReceipt }) {
  const { product, price, discount, shipping, tax, is_tax_included, total, currency, adjustments, kept } =
    receipt
  const { sold_by, presented } = receipt
  const isLess = kept < total
  const format = (amount: number) => formatMoney(amount, currency)
  return (
    <table aria-label={receiptTexts.paid} className="mt-8 w-full border-t border-line tabular-nums">
      <tbody>
        <Row
          name={product.name}
          {...(!namesFormat(product) && { more: formatsTexts.names[product.format] })}
          amount={format(price)}
        />
        {discount > 0 && <Row name={receiptTexts.discount} amount={format(-discount)} />}
        {shipping > 0 && <Row name={shippingLabel(receipt.shipping_country)} amount={format(shipping)} />}
        {tax > 0 && !is_tax_included && <Row name={receiptTexts.tax} amount={format(tax)} />}
        <Row
          name={receiptTexts.totalPaid}
          more={[
            is_tax_included && fill(receiptTexts.includingTax, { tax: format(tax) }),
            presented &&
              fill(receiptTexts.paidAs, { amount: formatMoney(presented.amount, presented.currency) }),
          ]
            .filter(Boolean)
            .join(' · ')}
          amount={format(total)}
          isSum={!isLess}
        />
        {adjustments.map(({ id, kind, amount, created_at }) => (
          <Row
            key={id}
            name={receiptTexts.adjustments[kind]}
            more={formatDayIn(created_at, receipt.time_zone)}
            amount={format(amount)}
          />
        ))}
        {isLess && kept > 0 && (
          <Row
            name={sold_by === 'stripe' ? receiptTexts.notRefunded : receiptTexts.paidAfterRefunds}
            amount={format(kept)}
            isSum
          />
        )}
      </tbody>
    </table>
  )
}

type RowProps = { name: string; more?: string; amount: string; isSum?: boolean }

function Row({ name, more, amount, isSum = false }: RowProps) {
  return (
    <tr className={`border-b border-line align-baseline ${isSum ? 'text-lg font-semibold' : ''}`}>
      <th scope="row" className={`py-3 pe-6 text-start wrap-anywhere ${isSum ? '' : 'font-normal'}`}>
        <span className="me-2">{name}</span>{' '}
        {more && <span className="inline-block text-sm text-soft">{more}</span>}
      </th>
      <td className="py-3 text-end whitespace-nowrap">{amount}</td>
    </tr>
  )
}

function Help({ receipt }: { receipt: GuestReceipt }) {
  const { created_at, refund_days, promised_from, sold_by, kept } = receipt
  const { email } = useBook().author
  const guarantee = sold_by === 'stripe' ? receiptTexts.guaranteeByLink : receiptTexts.guarantee
  const parts = {
    question:
      refund_days > 0 && kept > 0
        ? fill(guarantee, {
            days: refund_days,
            date: promised_from ? formatDay(promised_from) : formatDayIn(created_at, receipt.time_zone),
            conditions: refundConditions(receipt),
          })
        : receiptTexts.anyQuestion,
    form: <a href="/#contact">{receiptTexts.contactForm}</a>,
    address: <span className="hidden print:inline"> ({location.origin})</span>,
  }
  return (
    <footer className="mt-8 text-sm text-pretty text-soft [&_a]:rounded-sm [&_a]:text-ink [&_a]:underline [&_a]:underline-offset-4">
      <p>
        {email
          ? fillParts(receiptTexts.contactByEmail, {
              ...parts,
              email: <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>,
            })
          : fillParts(receiptTexts.contact, parts)}
      </p>
    </footer>
  )
}
