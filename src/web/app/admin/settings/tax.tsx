// The settings screen of taxes.
import { Link } from 'react-router'
import { type Format, formats } from '#contract/catalog/formats.ts'
import { settingValues, usualTaxCodes } from '#contract/settings/settings.ts'
import { useState } from 'react'
import { Callout } from '../../../components/note.tsx'
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
      hint: 'Included says “incl. VAT” beside each price and shipping, and added says “excl. tax”; you can change both among the texts of the page. With Stripe Tax it also decides how Stripe counts. Consumers in the EU must be shown prices with the tax in them.',
      as: InPrices,
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

type TaxForm = FormGroup<{ in_prices?: string | undefined; tax_codes: Record<Format, string> }>

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
