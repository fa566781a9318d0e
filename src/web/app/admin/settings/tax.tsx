// The settings screen of taxes.
import { Link } from 'react-router'
import { type Format, formats } from '#contract/catalog/formats.ts'
import { settingValues, usualTaxCodes } from '#contract/settings/settings.ts'
import type { Seller } from '#contract/orders/seller.ts'
import { useState, type ReactNode } from 'react'
import { Badge, Callout } from '../../../components/note.tsx'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { defineSettings, fixedHint, type FormGroup } from './settings-form.tsx'

const choices = [
  { value: 'included', label: 'Included: buyers pay the price that is shown' },
  { value: 'added', label: 'Added: tax comes on top of the price' },
  { value: 'none', label: 'None: no tax is due' },
]

const settings = defineSettings({
  group: 'tax',
  title: 'Tax',
  about:
    'What your prices say of tax. The rest is for payments through Stripe, which can work out tax and make invoices, and applies to checkouts that are opened from now on.',
  schema: settingValues.shape.tax,
  fields: {
    in_prices: {
      label: 'Tax in your prices',
      hint: 'Included says “incl. VAT” beside each price and shipping, and added says “excl. tax”; you can change both among the texts of the page. With Stripe Tax, or Link as the seller, it also decides how Stripe counts. Consumers in the EU must be shown prices with the tax in them.',
      as: InPrices,
    },
    digital_seller: {
      label: 'Who sells files (beta)',
      hint: 'For the format digital alone. Paper, bundles and pre-orders stay yours.',
      as: DigitalSeller,
    },
    has_tax: {
      label: 'Work out tax (Stripe Tax)',
      hint: 'Say above whether the tax is in your prices. Stripe Tax has to be set up first in Stripe’s dashboard: a head office, and where you are registered. What is missing there is listed under Needs attention.',
    },
    tax_codes: { label: 'Stripe’s tax codes', as: TaxCodes },
    has_tax_ids: {
      label: 'Let buyers give their tax ID',
      hint: 'A company’s VAT number, for example, stands on its invoice then.',
    },
    has_invoices: {
      label: 'Make an invoice of each purchase',
      hint: 'The receipt links to it. Stripe may charge for invoices.',
    },
  },
})

export const { clientLoader, clientAction, shouldRevalidate } = settings
export default settings.Screen

type TaxForm = FormGroup<{
  in_prices?: string | undefined
  digital_seller: Seller
  tax_codes: Record<Format, string>
}>

function InPrices({ form, ...field }: FieldProps<TaxForm>) {
  const { in_prices: saved = '' } = form.values
  const [chosen, setChosen] = useState(saved)
  const warning = form.warnings?.['in_prices']?.[chosen]
  return (
    <div className="grid gap-3">
      <Input
        {...field}
        form={form}
        options={saved ? choices : [{ value: '', label: 'Please choose' }, ...choices]}
        onType={setChosen}
      />
      {warning && <Callout role="status">{warning}</Callout>}
    </div>
  )
}

const digitalSellers = [
  { value: 'author', label: 'You' },
  { value: 'stripe', label: 'Link, a company of Stripe' },
] satisfies { value: Seller; label: string }[]

function DigitalSeller({ form, ...field }: FieldProps<TaxForm>) {
  const [chosen, setChosen] = useState<string>(form.values.digital_seller)
  const warning = form.warnings?.['digital_seller']?.[chosen]
  return (
    <div className="grid gap-3">
      <Input {...field} form={form} options={digitalSellers} onType={setChosen} />
      {chosen === 'stripe' && <LinkSells />}
      {warning && <Callout role="status">{warning}</Callout>}
    </div>
  )
}

const atStripe = 'https://docs.stripe.com/payments/managed-payments'

/** It says what Stripe’s pages say; no real account has sold with it yet. */
function LinkSells() {
  return (
    <section
      role="status"
      aria-label="What it means that Link sells"
      className="grid gap-3 rounded-md bg-ink/4 px-4 py-3 text-sm text-pretty"
    >
      <p>
        <Badge look="highlighted">beta</Badge> No real account has sold with it, refunded and been refunded
        yet: buy your own book and refund it before you rely on it. Saving this asks Stripe for such a payment
        page once.
      </p>
      <ul className="grid list-disc gap-1.5 ps-5">
        <li>
          Link is the seller: it is named before the payment, on the receipt and on the card’s statement
          (LINK.COM), and it sends its own receipt and the invoice. You deliver the file.
        </li>
        <li>
          Link works out the VAT, GST or sales tax and pays it in{' '}
          <AtStripe to={`${atStripe}/tax-compliance`}>more than 80 countries</AtStripe>. Everywhere else the
          tax stays yours.
        </li>
        <li>Companies cannot give a VAT ID, and there is no reverse charge.</li>
        <li>
          Link may refund for 60 days, and without asking if its support’s email to you has no answer for 48
          hours. The access to the file ends with it, also where your buyer had given up the right of
          withdrawal.
        </li>
        <li>Of some refunds the tax is kept, and comes out of your balance: by country.</li>
        <li>Buyers may pay in their own currency. Your sums stay in yours.</li>
        <li>
          It costs 3.5 % of what is paid, beside Stripe’s other fees:{' '}
          <AtStripe to="https://support.stripe.com/questions/managed-payments-pricing">
            what Stripe says
          </AtStripe>
          .
        </li>
        <li>
          Your business has to be in{' '}
          <AtStripe to={`${atStripe}/eligibility`}>one of the countries that Stripe allows</AtStripe>, and you
          accept{' '}
          <AtStripe to="https://dashboard.stripe.com/settings/managed-payments">
            the terms in the dashboard
          </AtStripe>{' '}
          first. Stripe Tax may be off.
        </li>
      </ul>
    </section>
  )
}

function AtStripe({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm underline underline-offset-4 hover:text-ink"
    >
      {children}
    </Link>
  )
}

/** The codes are folded while they are Stripe's usual ones for books. */
function TaxCodes({ form, path, label }: FieldProps<TaxForm>) {
  const variable = form.variables[path]
  const { tax_codes } = form.values
  const isOwn = formats.some((format) => tax_codes[format] !== usualTaxCodes[format])
  const isRefused = formats.some((format) => form.problems?.[`${path}.${format}`])
  return (
    <details open={isOwn || isRefused}>
      <summary className="w-fit cursor-pointer rounded-sm font-semibold">{label}</summary>
      <p className="mt-3 text-sm text-pretty text-soft">
        {variable
          ? fixedHint(variable)
          : 'How Stripe taxes each format. The codes here are those for books; audio and courses have others.'}{' '}
        <Link
          to="https://docs.stripe.com/tax/tax-codes"
          target="_blank"
          rel="noreferrer"
          className="underline underline-offset-4 hover:text-ink"
        >
          All codes of Stripe
        </Link>
      </p>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        {formats.map((format) => (
          <Input
            key={format}
            form={{ ...form, fixed: () => variable && '' }}
            path={`${path}.${format}`}
            label={format.charAt(0).toUpperCase() + format.slice(1)}
            input={{ spellCheck: false }}
          />
        ))}
      </div>
    </details>
  )
}
